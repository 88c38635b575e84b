//! Catalogue of data sets and calculators: as JSON, as DCAT 3 for data portals, and as schema.org
//! for search engines.

use super::{json::source, schema};
use ledger::language::Language;
use serde_json::{Value as Json, json};
use tax::{
    calculator::{Calculator, Run},
    calculators,
    dataset::{self, Dataset, LICENCE, LICENCE_URL},
    words::Words,
};

/// Path prefix of this interface.
pub(super) const PREFIX: &str = "/open-data";

/// Title of the catalogue.
pub(super) const TITLE: Words =
    Words::new("Open gegevens over Nederlandse belastingen", "Open data on Dutch taxes");
/// Description of the catalogue.
pub(super) const ABOUT: Words = Words::new(
    "Tarieven, grenzen en datums van de Nederlandse belastingen voor zelfstandigen, elk met bron en geldigheid, en rekenhulpen die ermee rekenen. Zonder account, vrij te gebruiken (CC0).",
    "Rates, thresholds and dates of Dutch taxes for the self-employed, each with its source and the days on which it holds, and calculators that work with them. No account needed, free to use (CC0).",
);
/// Publisher, as shown by data portals.
const PUBLISHER: &str = "grootboek";

/// Returns the whole catalogue as one JSON document.
pub(super) fn list(base: &str, language: Language) -> Json {
    let datasets: Vec<Json> =
        dataset::all().iter().map(|set| dataset_entry(base, set, language)).collect();
    let calculators: Vec<Json> = calculators::all()
        .iter()
        .map(|calculator| calculator_entry(base, calculator, language))
        .collect();
    let sources: Vec<Json> =
        tax::source::all().iter().map(|entry| source(entry, language)).collect();
    json!({
        "title": TITLE.get(language),
        "description": ABOUT.get(language),
        "licence": LICENCE,
        "licenceUrl": LICENCE_URL,
        "openapi": format!("{base}{PREFIX}/openapi.json"),
        "dcat": format!("{base}{PREFIX}/catalog.jsonld"),
        "mcp": format!("{base}{PREFIX}/mcp"),
        "datasets": datasets,
        "calculators": calculators,
        "sources": sources,
    })
}

fn dataset_entry(base: &str, set: &Dataset, language: Language) -> Json {
    let address = format!("{base}{PREFIX}/{}", set.id);
    let columns: Vec<Json> = set
        .columns
        .iter()
        .map(
            |column| json!({ "name": column.name, "title": column.title.get(language), "meaning": column.meaning.get(language) }),
        )
        .collect();
    json!({
        "id": set.id,
        "title": set.title.get(language),
        "description": set.description.get(language),
        "version": set.version,
        "updated": set.updated.to_string(),
        "page": address,
        "json": format!("{address}.json"),
        "csv": format!("{address}.csv"),
        "columns": columns,
        "sources": set.sources().iter().map(|source| source.id.as_str()).collect::<Vec<_>>(),
    })
}

fn calculator_entry(base: &str, calculator: &Calculator, language: Language) -> Json {
    let address = format!("{base}{PREFIX}/calculators/{}", calculator.id);
    json!({
        "id": calculator.id,
        "title": calculator.title.get(language),
        "description": calculator.description.get(language),
        "page": address,
        "json": format!("{address}.json"),
        "method": if matches!(calculator.run, Run::Body) { "POST" } else { "GET" },
        "input": schema::of_inputs(calculator),
    })
}

/// Returns the catalogue for data portals as JSON-LD: DCAT 3 with the properties that DCAT-AP-NL
/// requires.
pub(super) fn dcat(base: &str) -> Json {
    let home = format!("{base}{PREFIX}");
    let datasets: Vec<Json> = dataset::all().iter().map(|set| dcat_dataset(base, set)).collect();
    let updated = dataset::all().iter().map(|set| set.updated).max();
    json!({
        "@context": {
            "adms": "http://www.w3.org/ns/adms#",
            "dcat": "http://www.w3.org/ns/dcat#",
            "dct": "http://purl.org/dc/terms/",
            "foaf": "http://xmlns.com/foaf/0.1/",
            "vcard": "http://www.w3.org/2006/vcard/ns#",
            "xsd": "http://www.w3.org/2001/XMLSchema#",
        },
        "@id": home,
        "@type": "dcat:Catalog",
        "dct:title": in_both(&TITLE),
        "dct:description": in_both(&ABOUT),
        "dct:license": { "@id": LICENCE_URL },
        "dct:language": languages(),
        "dct:publisher": publisher(base),
        "dct:modified": updated.map(|day| typed_date(&day.to_string())),
        "foaf:homepage": { "@id": home },
        "dcat:dataset": datasets,
        "dcat:service": {
            "@id": format!("{home}/openapi.json"),
            "@type": "dcat:DataService",
            "dct:title": in_both(&TITLE),
            "dcat:endpointURL": { "@id": home },
            "dcat:endpointDescription": { "@id": format!("{home}/openapi.json") },
            "dct:license": { "@id": LICENCE_URL },
            "dct:accessRights": public(),
            "dct:publisher": publisher(base),
            "dcat:contactPoint": contact(base),
        },
    })
}

fn dcat_dataset(base: &str, set: &Dataset) -> Json {
    let address = format!("{base}{PREFIX}/{}", set.id);
    let (first, last) = set.days();
    let mut temporal =
        json!({ "@type": "dct:PeriodOfTime", "dcat:startDate": typed_date(&first.to_string()) });
    if let Some(last) = last {
        temporal["dcat:endDate"] = typed_date(&last.to_string());
    }
    let distribution = |suffix: &str, media: &str, file: &str| {
        json!({
            "@id": format!("{address}.{suffix}"),
            "@type": "dcat:Distribution",
            "dct:title": suffix.to_uppercase(),
            "dcat:accessURL": { "@id": address },
            "dcat:downloadURL": { "@id": format!("{address}.{suffix}") },
            "dcat:mediaType": { "@id": format!("http://www.iana.org/assignments/media-types/{media}") },
            "dct:format": { "@id": format!("http://publications.europa.eu/resource/authority/file-type/{file}") },
            "dct:license": { "@id": LICENCE_URL },
        })
    };
    json!({
        "@id": address,
        "@type": "dcat:Dataset",
        "dct:identifier": address,
        "dct:title": in_both(&set.title),
        "dct:description": in_both(&set.description),
        "dct:license": { "@id": LICENCE_URL },
        "dct:language": languages(),
        "dct:modified": typed_date(&set.updated.to_string()),
        "dct:temporal": temporal,
        "dct:accessRights": public(),
        "dct:publisher": publisher(base),
        "dcat:contactPoint": contact(base),
        "dcat:theme": [{ "@id": "http://publications.europa.eu/resource/authority/data-theme/GOVE" }, { "@id": "http://publications.europa.eu/resource/authority/data-theme/ECON" }],
        "dcat:landingPage": { "@id": address },
        "dcat:version": set.version.to_string(),
        "adms:status": { "@id": "http://publications.europa.eu/resource/authority/distribution-status/COMPLETED" },
        "dct:source": set.sources().iter().map(|source| json!({ "@id": source.url })).collect::<Vec<_>>(),
        "dcat:distribution": [distribution("json", "application/json", "JSON"), distribution("csv", "text/csv", "CSV")],
    })
}

/// Returns the metadata of a data set for search engines, embedded in its page (schema.org
/// `Dataset`).
pub(super) fn schema_org(base: &str, set: &Dataset, language: Language) -> Json {
    let address = format!("{base}{PREFIX}/{}", set.id);
    let (first, last) = set.days();
    let download = |suffix: &str, media: &str| json!({ "@type": "DataDownload", "encodingFormat": media, "contentUrl": format!("{address}.{suffix}") });
    json!({
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": set.title.get(language),
        "description": set.description.get(language),
        "inLanguage": if language == Language::Dutch { "nl" } else { "en" },
        "license": LICENCE_URL,
        "isAccessibleForFree": true,
        "version": set.version.to_string(),
        "dateModified": set.updated.to_string(),
        "temporalCoverage": format!("{first}/{}", last.map_or("..".to_owned(), |day| day.to_string())),
        "spatialCoverage": { "@type": "Place", "name": "NL" },
        "creator": { "@type": "Organization", "name": PUBLISHER, "url": base },
        "includedInDataCatalog": { "@type": "DataCatalog", "name": TITLE.get(language), "url": format!("{base}{PREFIX}") },
        "citation": set.sources().iter().map(|source| source.url.as_str()).collect::<Vec<_>>(),
        "distribution": [download("json", "application/json"), download("csv", "text/csv")],
    })
}

fn in_both(words: &Words) -> Json {
    json!([
        { "@language": "nl", "@value": words.get(Language::Dutch) },
        { "@language": "en", "@value": words.get(Language::English) },
    ])
}

fn languages() -> Json {
    json!(["NLD", "ENG"].map(|tag| json!({ "@id": format!("http://publications.europa.eu/resource/authority/language/{tag}") })))
}

fn publisher(base: &str) -> Json {
    json!({ "@id": base, "@type": "foaf:Agent", "foaf:name": PUBLISHER })
}

fn contact(base: &str) -> Json {
    json!({ "@type": "vcard:Organization", "vcard:fn": PUBLISHER, "vcard:hasURL": { "@id": base } })
}

fn public() -> Json {
    json!({ "@id": "http://publications.europa.eu/resource/authority/access-right/PUBLIC" })
}

fn typed_date(day: &str) -> Json {
    json!({ "@type": "xsd:date", "@value": day })
}
