package sandbox

import (
	"strings"
	"sync"
)

// vocabulary are the words that fields of a name hold, where nothing declares
// them: one line per name or names, values after the colon. A name may be given
// for one kind only.
const vocabulary = `
addressline2 address2 line2 street2: Suite 4|Floor 3|Building B|Unit 12|c/o Reception
accountsource leadsource: Web|Referral|Partner|Trade Show|Phone Inquiry
advicecode: try_again_later|do_not_try_again|confirm_card_data
affiliation: OWNER|MEMBER|COLLABORATOR|NONE
abphase: test|winner
abvariation: a|b
assigneetype: PROJECT_LEAD|UNASSIGNED
applicationfee: fee_1PxQ2rLkdIwHu7ix|fee_1PyT4sLkdIwHu7iy
backdatedtimegranularity: day|month|year|none
bylines: Acme Robotics|Blue Harbor|Lumen Labs
contentcategory: BUSINESS|TECHNOLOGY|TRAVEL
deemedresellercategory: IOSS|UOSS
work_board.entity: pulse|board
work_board.event: create_pulse|update_column_value|update_name
expand: description,lead,issueTypes,url|groups,applicationRoles
fieldtype: text|single_select|multi_select|link
messaginga messagingb: +15550102938|+15550174653
work_board.permissions: everyone|collaborators|assignee|owners
social_advertising.event: PageView|Purchase|AddToCart
preprocessor: premailer|none
projecttypekey: software|service_desk|business
ref: main|release/2.4
resourceari: ari:cloud:identity::group/1|ari:cloud:identity::group/2
reviewmethod: AUTOMATIC|MANUAL
saidatinterval: FIRST|LAST|ANYTIME
saidatunit: MINUTES|PERCENT
shipservicelevel: Std US D2D Dom|Exp US D2D Dom
sociala: ada.quinn|hugo.weber|maya.ito
sourcetransfer sourcetransferreversal transferreversal: tr_1PxQ2rLkdIwHu7ix|tr_1PyT4sLkdIwHu7iy
pendingsetupintent: seti_1PxQ2rLkdIwHu7ix|seti_1PyT4sLkdIwHu7iy
templatetype: drag_and_drop|code
task_management.start task_management.at: 1773400543000|1773377752000|1773438083000
task_management.end: 1773404143000|1773381352000|1773441683000
task_management.duration: 3600000|1800000|5400000
aggregation groupby: day|week|month
billinginterval frequency: monthly|weekly|daily
bidstrategy strategy: LEGACY_FOR_SALES|AUTO_FOR_SALES|MANUAL
bidtype: CPC|CPM|CPA
brand cardbrand: visa|mastercard|amex
browser: Firefox|Chrome|Safari
buyingtype: AUCTION|RESERVED
calldisposition sdrdisposition: Connected|Left Voicemail|No Answer|Wrong Number
calltype: Outbound|Inbound|Internal
calltoactiontype: LEARN_MORE|SHOP_NOW|SIGN_UP
campaigntype: SPONSORED_PRODUCTS|SPONSORED_BRANDS
code errorcode failurecode lastfinalizationerrorcode: card_declined|insufficient_funds|expired_card
collectionmethod: charge_automatically|send_invoice
cohortoutputtype: ID_SET|TABLE
cohortdefinitiontype: behavioral|static|clustered
contenttype mimetype: application/pdf|image/png|text/html|text/plain
call_recording.media media: Video|Audio
call_recording.direction direction: Inbound|Outbound|Conference
call_recording.system: Zoom|Google Meet|Teams
call_recording.scope: Internal|External|Unknown
call_recording.purpose: Discovery|Demo|Renewal|Support
crm.rating: Hot|Warm|Cold
crm.type: Customer|Prospect|Partner|Other
crm.priority: High|Normal|Low
crm.taskstatus: Not Started|In Progress|Completed
crm.leadstatus: Open - Not Contacted|Working - Contacted|Closed - Converted
crm.campaignstatus: Planned|In Progress|Completed
crm.opportunitystatus crm.contactstatus crm.casestatus: New|Working|Escalated|Closed
datausesetting: PASSIVE|ACTIVE
deliverytype: standard|push
department division: Sales|Finance|Engineering|Support|Marketing
dist: 1042|1043|1051
editor: html|drag_and_drop
email_campaign.contenttype: template|html|url|multichannel
emoji: 🔥|🚨|🧯|⚙️
environment: production|staging|development
eventtype eventsourcetype customeventtype: PURCHASE|LEAD|COMPLETE_REGISTRATION
expressiontype: asinCategorySameAs|asinSameAs|queryBroadMatches
extension: 101|214|330|412
failurereason: could_not_process|account_closed
fileextension extensiontype: pdf|png|docx|csv
forecastcategory forecastcategoryname: Pipeline|Best Case|Commit|Closed
fulfillmentchannel: AFN|MFN
funding: credit|debit|prepaid
giftwraplevel: None|Classic
groupingtype: default|custom
industry: Technology|Healthcare|Retail|Finance|Manufacturing|Energy
invoicingthreshold: 100.00|250.00|500.00
isgift isprime isbusinessorder isreplacementorder isglobalexpressenabled isispu ispremiumorder isaccesspointorder issoldbyab isiba: false|false|true
issuecategory: error|performance|outage
issuetype: error|slow_db_query|cron_failure
keywordtext: wireless headphones|running shoes|desk lamp
layout: list|grid
logger: app.views|app.tasks|root
culprit: app.views.checkout|app.tasks.sync_orders|api.handlers.search
mergeable: MERGEABLE|CONFLICTING|UNKNOWN
networkdeclinecode networkadvicecode: 05|51|54
nextstep: Send proposal|Schedule demo|Call legal|Wait for signature
objecttype: Campaign|AdSet|Ad
ordertype: StandardOrder|Preorder|SourcingOnDemandOrder
paymentprovider: stripe_invoice|stripe_charge|manual
paymentmethod: credit_card|Other|COD
paymentmethodtype: card|sepa_debit|us_bank_account
payoutmethod: standard|instant
parenttype: page|folder|whiteboard
permissionlevel: read|comment|edit|create
platform: python|javascript|go|java
policy: campaign|account
privacy: public|private
provider: stripe|anrok|avalara
reportingcategory: charge|refund|payout|dispute
recruiting.status: open|closed|draft
risklevel: normal|elevated|highest
role roletype: member|admin|owner|viewer
saleschannel: Amazon.com|Non-Amazon
sdk: sentry.python|sentry.javascript|sentry.go
shipmentservicelevelcategory: Standard|Expedited|SecondDay
sourcetype: card|bank_account|fpx
specialadcategory: NONE|HOUSING|EMPLOYMENT|CREDIT
statementdescriptor statementdescriptorsuffix calculatedstatementdescriptor: ACME ROBOTICS|BLUE HARBOR|LUMEN LABS
smartpromotiontype: GUIDED_CREATION|SMART_APP_PROMOTION
style: classic|next-gen
tasksubtype: Task|Email|Call
taxcode: txcd_10000000|txcd_10103001|txcd_99999999
taxexempt: none|exempt|reverse
tiersmode: graduated|volume
targetgender gender: All|Women|Men
usagetype: licensed|metered
userreport stripereport: safe|fraudulent
usertype: Standard|PowerPartner|CspLitePortal|Guest
useragent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0|curl/8.9.1
visibilitytype: role|group
jobtitle: Account Executive|Engineer|Product Manager|Director of Sales|Analyst|Head of Support
`

var words = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(vocabulary) {
		names, values, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, n := range strings.Fields(names) {
			all[n] = strings.Split(values, "|")
		}
	}
	return all
})

// wordsFor are the words of a field: those of the entity, the kind or everybody.
func (m *maker) wordsFor(w *fieldName) []string {
	switch {
	case w.normal == "status" && m.d.kind.Name == "crm":
		return words()["crm."+singular(m.e.Name)+"status"]
	case w.normal == "title" && m.p.odd == "" && strings.Contains(peopled, " "+m.e.Name+" "):
		return words()["jobtitle"]
	}
	return w.words
}

// pointed are identifiers that stand in other records under the singular name of theirs.
func pointed(n string) string {
	switch n {
	case "customer", "invoice", "charge", "subscription", "refund", "product", "price", "payout", "dispute":
		return n + "s"
	case "paymentintent":
		return "payment_intents"
	}
	return ""
}
