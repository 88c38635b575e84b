//! Input for articles.

use super::{
    DecimalNumber, EXTERNAL_ID, EXTERNAL_ID_MEANING, Fields, Flag, MultiLine, OneOf, Parsed,
    Presence, SingleLine,
    sales::{UnitOfQuantity, usual_rate},
};
use ledger::{
    article::ArticleStatus,
    vat::{Exemption, Supply, VatCategory},
};
use service::articles::EditArticle;
use store::articles::ArticleValues;

/// Longest number of an article.
const LONGEST_NUMBER: usize = 40;
/// Longest description, as on a line.
const LONGEST_DESCRIPTION: usize = 1000;

const NUMBER: &str = "Your number of the article, unique within the account.";
const NAME: &str =
    "Name. Lines of documents show it where there is no description in their language.";
const DESCRIPTIONS: &str = "Descriptions on lines, by the language of the document.";
const DUTCH: &str = "Description on Dutch documents.";
const ENGLISH: &str = "Description on English documents.";
const UNIT: &str = "Unit, as on a line.";
const PRICE: &str = "Price per unit in euros, including VAT if `pricesIncludeVat` is set. At most 20 \
                     decimals. Without it, lines must state their price.";
const INCLUDES: &str = "Whether unitPrice includes VAT. On an invoice without VAT in its prices, the \
                        VAT is divided out, rounded at ten decimals.";
const RATE: &str = "VAT rate in per cent. It is proposed to customers to whom Dutch VAT is charged \
                    and who have no `vatDefault`. Without it, the high rate is proposed.";
const CATEGORY: &str =
    "VAT category. Default: the one that the rate and the customer's country give.";
const SUPPLY: &str = "Kind of supply. Default: the setting of the account.";
const EXEMPTION: &str = "Ground of the exemption of an exempt article.";
const STATUS: &str = "`active` or `archived`. An archived article is not offered for new lines; \
                      references to it remain valid.";

/// Reads the fields of a new article.
pub fn new_article(fields: &mut Fields<'_, '_>) -> Parsed<ArticleValues> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let number = fields.optional("number", NUMBER, SingleLine(LONGEST_NUMBER));
    let name = fields.required("name", NAME, SingleLine(255));
    let descriptions = fields.object("descriptions", DESCRIPTIONS, Presence::Optional, |fields| {
        let dutch = fields.optional("nl", DUTCH, MultiLine(LONGEST_DESCRIPTION));
        (dutch, fields.optional("en", ENGLISH, MultiLine(LONGEST_DESCRIPTION)))
    });
    let (description_nl, description_en) = descriptions.unwrap_or_default();
    let unit = fields.optional("unit", UNIT, UnitOfQuantity);
    let unit_price = fields.optional("unitPrice", PRICE, DecimalNumber);
    let prices_include_vat =
        fields.optional("pricesIncludeVat", INCLUDES, Flag).unwrap_or_default();
    let vat_rate = fields.optional("vatRate", RATE, usual_rate());
    let vat_category = fields.optional("vatCategory", CATEGORY, OneOf(VatCategory::PUBLIC));
    let supply = fields.optional("supply", SUPPLY, OneOf(Supply::ALL));
    let exemption = fields.optional("exemption", EXEMPTION, OneOf(Exemption::ALL));
    let status = fields.optional("status", STATUS, OneOf(ArticleStatus::ALL));
    let command = name.map(|name| ArticleValues {
        external_id: external_id.clone(),
        number,
        name,
        description_nl,
        description_en,
        unit,
        unit_price,
        prices_include_vat,
        vat_rate,
        vat_category,
        supply,
        exemption,
        status: status.unwrap_or(ArticleStatus::Active),
    });
    Parsed::new(external_id, command)
}

/// Reads the fields for editing an article; absent fields stay unchanged.
pub fn edited_article(fields: &mut Fields<'_, '_>) -> Parsed<EditArticle> {
    let external_id = fields.removable("externalId", "Your own identifier.", EXTERNAL_ID);
    let number = fields.removable("number", NUMBER, SingleLine(LONGEST_NUMBER));
    let name = fields.changeable("name", NAME, SingleLine(255));
    let is_cleared = fields.is_null("descriptions");
    let descriptions = fields.object("descriptions", DESCRIPTIONS, Presence::Optional, |fields| {
        let dutch = fields.removable("nl", DUTCH, MultiLine(LONGEST_DESCRIPTION));
        (dutch, fields.removable("en", ENGLISH, MultiLine(LONGEST_DESCRIPTION)))
    });
    let cleared = is_cleared.then_some(None);
    let (description_nl, description_en) = descriptions.unwrap_or((cleared.clone(), cleared));
    let edit = EditArticle {
        external_id: external_id.clone(),
        number,
        name,
        description_nl,
        description_en,
        unit: fields.removable("unit", UNIT, UnitOfQuantity),
        unit_price: fields.removable("unitPrice", PRICE, DecimalNumber),
        prices_include_vat: fields.changeable("pricesIncludeVat", INCLUDES, Flag),
        vat_rate: fields.removable("vatRate", RATE, usual_rate()),
        vat_category: fields.removable("vatCategory", CATEGORY, OneOf(VatCategory::PUBLIC)),
        supply: fields.removable("supply", SUPPLY, OneOf(Supply::ALL)),
        exemption: fields.removable("exemption", EXEMPTION, OneOf(Exemption::ALL)),
        status: fields.changeable("status", STATUS, OneOf(ArticleStatus::ALL)),
    };
    Parsed::new(external_id.flatten(), Some(edit))
}
