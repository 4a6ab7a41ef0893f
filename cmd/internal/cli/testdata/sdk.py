# A module with the signatures of the service's Python SDK, and programs that use it. It
# takes what the SDK takes and refuses the rest, and speaks to the service as the SDK does.
import asyncio, builtins, json, os, sys, types, urllib.parse, urllib.request

registry = dict(pair.split("=") for pair in os.environ["REGISTRY"].split(","))
definitions = set(registry.values())


class Client:
    def __init__(self, client_id, client_secret, organization_id):
        client_id = client_id or os.environ.get("AIRBYTE_CLIENT_ID")
        client_secret = client_secret or os.environ.get("AIRBYTE_CLIENT_SECRET")
        if not client_id or not client_secret:
            raise ValueError("client_id and client_secret are required")
        self.base = os.environ.get("SDK_DEV_ADP_API_HOST", "").rstrip("/") or "https://nowhere.invalid"
        self.organization = organization_id
        self.token = None
        self.token = self.ask("POST", "/account/applications/token",
                              {"client_id": client_id, "client_secret": client_secret})["access_token"]

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if self.organization:
            headers["X-Organization-Id"] = self.organization
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + "/api/v1" + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


class Opened:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return False


class Connector(Opened):
    def __init__(self, definition, workspace_name, connector_id, client):
        self.definition, self.workspace, self.id, self.client = definition, workspace_name, connector_id, client

    async def execute(self, entity, action, params=None, *, select_fields=None, exclude_fields=None,
                      skip_truncation=True):
        if not self.id:
            query = urllib.parse.urlencode({"workspace_name": self.workspace, "definition_id": self.definition})
            found = self.client.ask("GET", "/integrations/connectors?" + query)["data"]
            if len(found) != 1:
                raise ValueError(f"{len(found)} connectors")
            self.id = found[0]["id"]
        answer = self.client.ask("POST", f"/integrations/connectors/{self.id}/execute",
                                 {"entity": entity, "action": action, "params": params})
        result = answer.get("result", answer)
        return result["data"] if action == "context_store_search" else result


def connect(connector_name, *, client_id=None, client_secret=None, workspace_name=None, connector_id=None,
            organization_id=None, auth_config=None):
    return Connector(registry[connector_name], workspace_name or "default", connector_id,
                     Client(client_id, client_secret, organization_id))


class Workspace(Opened):
    def __init__(self, *, client_id=None, client_secret=None, workspace_name=None, organization_id=None):
        self.workspace, self.client = workspace_name, Client(client_id, client_secret, organization_id)

    async def create_connector(self, *, definition_id, credentials=None, name=None, replication_config=None,
                               source_template_id=None):
        if definition_id not in definitions:
            raise ValueError(definition_id)
        body = {"name": name, "definition_id": definition_id, "workspace_name": self.workspace}
        if credentials is not None:
            body["credentials"] = credentials
        if replication_config is not None:
            body["replication_config"] = replication_config
        return self.client.ask("POST", "/integrations/connectors", body)["id"]


class Environment(dict):
    def __missing__(self, name):
        if name.startswith("PATCHBAY_"):
            return "value"
        raise KeyError(name)


# The classes of local mode: module, name, auth configs with the fields that they need
# and may have, and what else the constructor takes.
LOCAL = [
    ("amazon_ads", "AmazonAds", {"": ("refresh_token", "client_id client_secret")}, "region"),
    ("amazon_seller_partner", "AmazonSellerPartner",
     {"": ("lwa_app_id lwa_client_secret refresh_token", "access_token")}, "region"),
    ("amplitude", "Amplitude", {"": ("api_key secret_key", "")}, ""),
    ("clickup_api", "ClickupApi", {"": ("api_key", "")}, ""),
    ("confluence", "Confluence", {"": ("username password", "")}, "subdomain"),
    ("customer_io", "CustomerIo", {"": ("app_api_key", "")}, ""),
    ("facebook_marketing", "FacebookMarketing",
     {"Oauth20Authentication": ("access_token", "client_id client_secret"),
      "ServiceAccountKeyAuthentication": ("account_key", "")}, ""),
    ("github", "Github", {"Oauth2": ("access_token", ""), "PersonalAccessToken": ("token", "")}, ""),
    ("gong", "Gong", {"Oauth20Authentication": ("refresh_token", "access_token client_id client_secret"),
                      "AccessKeyAuthentication": ("access_key access_key_secret", "")}, ""),
    ("granola", "Granola", {"": ("api_key", "")}, ""),
    ("greenhouse", "Greenhouse", {"": ("api_key", "")}, ""),
    ("incident_io", "IncidentIo", {"": ("api_key", "")}, ""),
    ("jira", "Jira", {"": ("username password", "")}, "subdomain"),
    ("klaviyo", "Klaviyo", {"": ("api_key", "")}, ""),
    ("mailchimp", "Mailchimp", {"": ("api_key", "")}, "data_center"),
    ("monday", "Monday", {"Oauth20Authentication": ("access_token client_id client_secret", ""),
                          "ApiTokenAuthentication": ("api_key", "")}, ""),
    ("notion", "Notion", {"Oauth20": ("client_id client_secret access_token", ""), "AccessToken": ("token", "")}, ""),
    ("orb", "Orb", {"": ("api_key", "")}, ""),
    ("salesforce", "Salesforce", {"": ("refresh_token", "client_id client_secret")}, "instance_url"),
    ("sendgrid", "Sendgrid", {"": ("api_key", "")}, ""),
    ("sentry", "Sentry", {"": ("auth_token", "")}, "hostname"),
    ("stripe", "Stripe", {"": ("api_key", "")}, ""),
]


def auth_config(required, optional):
    class AuthConfig:
        def __init__(self, **fields):
            missing = set(required.split()) - set(fields)
            unknown = set(fields) - set(required.split()) - set(optional.split())
            if missing or unknown:
                raise TypeError(f"missing {missing}, unknown {unknown}")
    return AuthConfig


def local_connector(configs, more):
    class Local(Opened):
        def __init__(self, auth_config=None, **config):
            if type(auth_config) not in configs or set(config) - set(more.split()):
                raise TypeError(f"{auth_config} {config}")

        async def execute(self, entity, action, params=None, *, select_fields=None, exclude_fields=None,
                          skip_truncation=True):
            return {"entity": entity, "action": action, "params": params}
    return Local


for module, name, configs, more in LOCAL:
    package = types.ModuleType("airbyte_agent_sdk.connectors." + module)
    models = types.ModuleType(package.__name__ + ".models")
    classes = {suffix: auth_config(*fields) for suffix, fields in configs.items()}
    for suffix, made in classes.items():
        setattr(models, name + suffix + "AuthConfig", made)
    setattr(package, name + "Connector", local_connector(list(classes.values()), more))
    sys.modules[package.__name__], sys.modules[models.__name__] = package, models

sdk = types.ModuleType("airbyte_agent_sdk")
sdk.connect, sdk.Workspace = connect, Workspace
sys.modules["airbyte_agent_sdk"] = sdk
os.environ = Environment(os.environ)
show = builtins.print
builtins.print = lambda value: show(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), end="")
sys.stdin.reconfigure(encoding="utf-8", newline="\n")
sys.stdout.reconfigure(encoding="utf-8")
for text in sys.stdin.read().split("\x1e"):
    exec(compile(text, "copied", "exec"), {"__name__": "__main__"})
    sys.stdout.write("\x1e")
