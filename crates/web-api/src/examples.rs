//! Examples for the fields and parameters of all bodies, responses and queries, chosen by name. A
//! field whose schema already has `examples` or an enumeration gets no other example.

use serde_json::{Value, json};

/// Returns the example of a field; `schema` is the name of the schema that contains it.
// Long: a table of examples.
fn example(schema: &str, name: &str) -> Option<Value> {
    let value = match (schema, name) {
        ("Project", "name") => json!("Website Bakkerij De Korenaar"),
        ("VatFilingBox", "description") => json!("Supplies taxed at the high rate"),
        ("Entry" | "VatBoxPosting", "description") => {
            json!("Invoice 2026-0001 Bakkerij De Korenaar")
        }
        ("Problem", "code") => json!("not_found"),
        ("Problem", "detail") => json!("There is no such invoice in this account."),
        ("Problem", "status") => json!(404),
        ("Problem", "title") => json!("There is no such thing in this account"),
        ("Problem", "type") => json!("https://example.com/docs/errors#not_found"),
        ("Problem", "requestId") => json!("33a7713dba4f9b17"),
        ("Warning", "code") => json!("customer_vat_number_missing"),
        ("Warning", "message") => {
            json!("give the customer's vatNumber: an intra-community supply is declared with it")
        }
        (
            "Webhook" | "WebhookWithSecret" | "CreateWebhookRequest" | "UpdateWebhookRequest",
            "types",
        ) => {
            json!(["invoice.*", "payment.created"])
        }
        (
            "Webhook" | "WebhookWithSecret" | "CreateWebhookRequest" | "UpdateWebhookRequest",
            "description",
        ) => json!("Shop"),
        ("Quote" | "createQuote" | "CreateQuoteRequest" | "UpdateQuoteRequest", "total") => {
            json!(924.44)
        }
        (_, "articleId") => json!(1),
        (_, "articleNumber") => json!("A-100"),
        (_, "nl") => json!("Advies per uur"),
        (_, "en") => json!("Advice per hour"),
        (_, "unit") => json!("hour"),
        (
            "createArticle" | "CreateArticleRequest" | "UpdateArticleRequest" | "putArticle",
            "number",
        ) => {
            json!("A-100")
        }
        (
            "RecurringInvoice" | "RecurringInvoicePreview" | "Occurrence" | "OccurrencePreview",
            "total",
        ) => json!(54.45),
        (_, "firstDate" | "lastDate") => json!("2036-01-01"),
        (_, "recurringInvoiceId") => json!(1),
        (_, "waitingCount") => json!(0),
        (_, "lastDayOfMonth" | "pending") => json!(false),
        (_, "remindersStopped" | "force") => json!(false),
        ("Reminder", "step") => json!(1),
        ("Reminder", "dueSince" | "nextOn") => json!("2026-12-21"),
        (_, "quoteDate") => json!("2026-11-20"),
        (_, "validUntil") => json!("2026-12-20"),
        (_, "prepaymentPercent" | "percent") => json!(30),
        (_, "invoiceIds") => json!([7]),
        (_, "replacesId" | "openedAt" | "lastOpenedAt" | "withdrawnAt") => json!(null),
        (_, "openCount") => json!(0),
        (_, "quoteId") => json!(1),
        (_, "sentAt") => json!("2026-11-20T10:00:00.000000Z"),
        (_, "sameCustomer" | "icp") => json!(true),
        (_, "rowIds") => json!(["invoice-12-8000.1f0c6a2b9d3e"]),
        (_, "url") => json!("https://shop.example/hooks"),
        (_, "enabled") => json!(true),
        (_, "attempts") => json!(1),
        (
            _,
            "disabledAt" | "failingSince" | "formerSecretUntil" | "nextAttemptAt" | "responseBody"
            | "error",
        ) => json!(null),
        (_, "lastAttemptAt") => json!("2026-03-13T10:00:00.000000Z"),
        (_, "responseStatus") => json!(204),
        ("Receipt", "name") => json!("toner.jpg"),
        ("Attachment", "name") => json!("2026-0001.pdf"),
        ("Receipt", "size") => json!(182_044),
        ("BankStatement", "size") => json!(18_204),
        (_, "amountFrom") => json!(-500.00),
        (_, "amountTo") => json!(500.00),
        (_, "iban") => json!("NL91ABNA0417164300"),
        (_, "supplierInvoiceNumber") => json!("F-2026-118"),
        (_, "executionDate") => json!("2026-11-28"),
        (_, "inBatchId") => json!(null),
        (_, "statementId") => json!(1),
        ("InvoicePreview", "dryRun") => json!(true),
        (_, "doubtful" | "dryRun" | "acceptBalance") => json!(false),
        (_, "lineId") => json!(12),
        (_, "include") => json!(["suggestions"]),
        (_, "suggested") => json!(true),
        (_, "ruleId") => json!(2),
        (_, "position") => json!(1),
        (_, "automatic" | "certain") => json!(false),
        (_, "contradicted") => json!([17]),
        ("BankRulePreview", "new") => json!([12, 13]),
        (_, "creditorId") => json!("NL98ZZZ999999990000"),
        (_, "nameContains") => json!("hosting"),
        (_, "textContains") => json!("pakketkosten"),
        (_, "targetId") => json!(4),
        (_, "newLines") => json!(3),
        (_, "valueDate") => json!("2026-11-20"),
        (_, "statementIds") => json!([1]),
        (_, "text") => json!("Factuur 2026-0028"),
        (_, "endToEndId") => json!("GB-28"),
        (_, "bankReference") => json!("20261120-17"),
        (_, "openingBalance") => json!(1000.00),
        (_, "closingBalance") => json!(1116.50),
        (_, "note") => json!("Paid twice, will come back"),
        (_, "bankAccountId" | "fromBankAccountId" | "mappingId") => json!(1),
        (_, "toBankAccountId") => json!(2),
        (_, "providerAccountId") => json!(5),
        (_, "isDefault") => json!(false),
        (_, "identifiers") => json!(["1234567"]),
        (_, "reverseOn" | "arrived") => json!("2026-04-01"),
        (_, "rgsCode") => json!("WBedKanOka"),
        (_, "vatDeductible") => json!(true),
        (_, "pricesIncludeVat" | "prepayment" | "hidden") => json!(false),
        (_, "discountDescription") => json!("Introductory offer"),
        (_, "invoiceItem") => json!(1),
        (_, "orderNumber") => json!("4500012345"),
        (_, "buyerReference") => json!("Department 12"),
        (_, "prepaymentInvoiceIds") => json!([5]),
        (_, "total") => json!(1210.00),
        (_, "rate") => json!(21),
        (_, "principal" | "base") => json!(500.00),
        (_, "interest") => json!(12.50),
        (_, "debit" | "credit") => json!(100.00),
        (_, "fee") => json!(0.87),
        (_, "feeVat") => json!(0.15),
        (_, "provider") => json!("Mollie"),
        (_, "loanId" | "into") => json!(2),
        (_, "notedAt" | "closedAt") => json!("2026-03-13T10:00:00Z"),
        (_, "supplier") => json!("Papierhal B.V."),
        (_, "businessShare") => json!(100),
        (_, "vat") => json!(21.00),
        (_, "cost") => json!(1899.00),
        (_, "residualValue") => json!(189.90),
        (_, "openingDepreciated") => json!(379.80),
        (_, "lifeYears") => json!(5),
        (_, "proceeds") => json!(500.00),
        (_, "km") => json!(120),
        ("Trip" | "createMileage", "from") => json!("Utrecht"),
        ("Trip" | "createMileage", "to") => json!("Zwolle"),
        (_, "purpose") => json!("Meeting with a customer"),
        ("registerForOss", "until") => json!("2027-12-31"),
        (_, "until" | "depreciatedUntil" | "disposedOn") => json!("2026-12-31"),
        (_, "receiptIds" | "expenseIds") => json!([3]),
        (_, "expenseId" | "assetId") => json!(7),
        (_, "includesVat" | "booked") => json!(true),
        (_, "undoneAt" | "undoneOn" | "undoingEntryId") => json!(null),
        (_, "externalId") => json!("order-1001"),
        (_, "name") => json!("Bakkerij De Korenaar"),
        (_, "email") => json!("administratie@korenaar.example"),
        (_, "street") => json!("Oudegracht 1"),
        (_, "postalCode") => json!("3511 AB"),
        (_, "city") => json!("Utrecht"),
        (_, "description") => json!("Design of a web page"),
        (_, "reason") => json!("One guide was damaged."),
        (_, "reference") => json!("PO 7"),
        (_, "notes") => json!("Thank you for your order."),
        (_, "message") => json!("give a number"),
        (_, "to") => json!("administratie@korenaar.example"),
        (_, "cc") => json!(["anna@korenaar.example"]),
        (_, "html") => json!("<!doctype html>…"),
        ("Attachment", "size") => json!(48_213),
        (_, "phone") => json!("+31 30 123 45 67"),
        (_, "peppolId") => json!("0106:12345678"),
        (_, "website") => json!("https://studio-voorbeeld.example"),
        (_, "uses") => json!(["invoice", "reminder"]),
        (_, "subject") => json!("Factuur 2026-0001 van Studio Noorderlicht"),
        (_, "copyToMe") => json!(true),
        (_, "number") => json!("2026-0001"),
        (_, "q") => json!("korenaar"),
        (_, "cursor") => json!("MTAw"),
        (_, "quantity") => json!(8),
        (_, "unitPrice") => json!(95.5),
        (_, "vatRate") => json!(21),
        (_, "amount") => json!(951.69),
        (_, "hours" | "hoursNotInvoiced") => json!(1.5),
        (_, "budgetAmount") => json!(5730.00),
        (_, "paymentTermDays") => json!(14),
        (_, "limit") => json!(50),
        (_, "year") => json!(2026),
        (_, "quarter") => json!(1),
        (_, "vatDate" | "supplyDate" | "supplyUntil") => json!("2026-03-13"),
        (_, "version") => json!(1),
        (_, "from") => json!("2027-01-01"),
        (_, "futureHours") => json!(0),
        (_, "reached" | "majorityOfTime") => json!(true),
        (_, "reopenedAt") => json!(null),
        (_, "id" | "invoiceId" | "creditedInvoiceId" | "sourceId") => json!(7),
        (_, "projectId" | "contactId" | "mergedInto") => json!(1),
        (_, "entryId" | "reversesEntryId") => json!(12),
        (_, "entryIds") => json!([12]),
        (_, "count" | "entryCount") => json!(4),
        (_, "drafts") => json!(1),
        ("InvoicesOfYear", "paid") => json!(2),
        (_, "declaredTurnover" | "declaredVat" | "declaredPayable") => json!(160),
        (_, "paid" | "met") => json!(true),
        (_, "correction") => json!(false),
        (_, "scopes") => json!(["read", "write"]),
        (_, "date" | "invoiceDate" | "paidAt" | "asOf") => json!("2026-03-13"),
        (_, "dueDate") => json!("2026-04-12"),
        (_, "periodStart") => json!("2026-01-01"),
        (_, "periodEnd") => json!("2026-03-31"),
        (_, "createdAt" | "updatedAt" | "filedAt" | "startedAt" | "at") => {
            json!("2026-03-13T10:00:00.000000Z")
        }
        (_, "sequence" | "after") => json!(42),
        (_, "types") => json!(["invoice", "payment"]),
        (_, "wait") => json!(1),
        _ => return None,
    };
    Some(value)
}

/// Adds examples to the fields of a schema that have none.
pub(super) fn fill(name: &str, schema: &mut Value) {
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (field, member) in members {
            give(name, field, member);
            fill(name, member);
        }
    }
    if let Some(items) = schema.get_mut("items") {
        fill(name, items);
    }
}

/// Adds an example to a field or parameter if the field or parameter needs one.
pub(super) fn give(schema: &str, name: &str, member: &mut Value) {
    if wants_one(member)
        && let Some(example) = example(schema, name)
    {
        member["examples"] = json!([example]);
    }
}

/// Whether a field needs an example: it has a plain value, and its schema shows no possible value.
pub(super) fn wants_one(member: &Value) -> bool {
    let shown = ["$ref", "anyOf", "allOf", "properties", "enum", "const", "default", "examples"];
    let rows = member["items"].get("$ref").is_some() || member["items"].get("properties").is_some();
    !rows
        && shown.iter().all(|key| {
            member.get(key).is_none() || (*key == "anyOf" && member.get("type").is_some())
        })
}
