//! JSON request bodies. Numbers keep their original text.

use super::keyed_request;
use crate::{
    catalogue,
    input::{self, Parsed, Raw},
    problem::Problem,
};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, header},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{borrow::Cow, fmt, time::Duration};

/// Maximum size of a body, in bytes.
const LIMIT: usize = 1024 * 1024;
/// Maximum nesting depth of arrays and objects.
const DEPTH: usize = 32;
/// Maximum time to receive a body.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Reads the body; checks media type, size and syntax, in this order.
pub async fn read(request: Request) -> Result<Raw, Problem> {
    let (parts, body) = request.into_parts();
    require_json(&parts.headers)?;
    parse(&collect(&parts.headers, body, LIMIT).await?)
}

/// Reads an optional body; without one, returns an object without fields.
pub async fn read_optional(request: Request) -> Result<Raw, Problem> {
    let (parts, body) = request.into_parts();
    let is_typed = parts.headers.contains_key(header::CONTENT_TYPE);
    if is_typed {
        require_json(&parts.headers)?;
    }
    let bytes = collect(&parts.headers, body, LIMIT).await?;
    if bytes.is_empty() {
        return Ok(Raw::Object(Vec::new()));
    }
    if !is_typed {
        require_json(&parts.headers)?;
    }
    parse(&bytes)
}

/// Reads the bytes of a JSON body, and the body; checks media type, size and syntax, in this order.
pub async fn read_with_bytes(request: Request) -> Result<(Bytes, Raw), Problem> {
    let (parts, body) = request.into_parts();
    require_json(&parts.headers)?;
    let bytes = collect(&parts.headers, body, LIMIT).await?;
    let raw = parse(&bytes)?;
    Ok((bytes, raw))
}

/// Whether the media type of a body is JSON.
#[must_use]
pub fn is_json(headers: &HeaderMap) -> bool {
    require_json(headers).is_ok()
}

/// Reads a file: the body itself, of any media type and at most `most` bytes.
pub async fn read_any_file(request: Request, most: usize) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    if parts.headers.contains_key(header::CONTENT_ENCODING) {
        let detail = "Send the file itself as the body, and no Content-Encoding.";
        return Err(Problem::new(catalogue::UNSUPPORTED_MEDIA_TYPE, detail)
            .with_header(header::CONNECTION, "close"));
    }
    collect(&parts.headers, body, most).await
}

/// Reads a file: the body itself, of one of these media types and at most `most` bytes.
pub async fn read_file(
    request: Request,
    media_types: &[&str],
    most: usize,
) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    let kind =
        parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    let is_known = media_types.iter().any(|known| kind.eq_ignore_ascii_case(known));
    if !is_known || parts.headers.contains_key(header::CONTENT_ENCODING) {
        let known = media_types.join(", ");
        let hint = match kind {
            "image/heic" | "image/heif" => "HEIC pictures cannot be read everywhere; send a JPEG. ",
            _ => "",
        };
        let detail = format!(
            "{hint}Send the file itself as the body, with its media type, one of {known}, and no Content-Encoding."
        );
        let problem = Problem::new(catalogue::UNSUPPORTED_MEDIA_TYPE, detail)
            .with_header(header::ACCEPT, &known);
        return Err(problem.with_header(header::CONNECTION, "close"));
    }
    collect(&parts.headers, body, most).await
}

async fn collect(headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, Problem> {
    let length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large(most));
    }
    let collected = tokio::time::timeout(TIMEOUT, Limited::new(body, most).collect()).await.map_err(|_| {
        Problem::new(
            catalogue::REQUEST_TIMEOUT,
            "The body did not arrive within 20 seconds, so nothing was done; send the request again.",
        )
        .with_header(header::CONNECTION, "close")
    })?;
    match collected {
        Ok(bytes) => {
            let bytes = bytes.to_bytes();
            keyed_request::record_body(&bytes, || names_itself(&bytes));
            Ok(bytes)
        }
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => Err(too_large(most)),
        Err(_) => Err(malformed("the body ended before it was complete")),
    }
}

/// Whether a body contains an external id for its resource.
fn names_itself(bytes: &[u8]) -> bool {
    let names =
        |(name, value): &(String, Raw)| name == "externalId" && matches!(value, Raw::Text(_));
    matches!(parse(bytes), Ok(Raw::Object(members)) if members.iter().any(names))
}

/// Checks that a request that expects no body has none, or only an empty object.
pub async fn read_none(request: Request) -> Result<(), Problem> {
    let faults =
        input::json(&read_optional(request).await?, |_| Parsed::new(None, Some(()))).faults;
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}

fn too_large(most: usize) -> Problem {
    let mebibytes = most / (1024 * 1024);
    Problem::new(
        catalogue::BODY_TOO_LARGE,
        format!("Nothing was done; send a body of at most {mebibytes} MiB."),
    )
    .with_header(header::CONNECTION, "close")
}

fn malformed(reason: &str) -> Problem {
    Problem::new(catalogue::MALFORMED_JSON, format!("The body cannot be read as JSON: {reason}."))
}

fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    let refuse = |detail| {
        Err(Problem::new(catalogue::UNSUPPORTED_MEDIA_TYPE, detail)
            .with_header(header::ACCEPT, "application/json"))
    };
    if headers.contains_key(header::CONTENT_ENCODING) {
        return refuse("Send the body without Content-Encoding.");
    }
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let value = match (types.next(), types.next()) {
        (Some(value), None) => value.to_str().unwrap_or(""),
        _ => return refuse("Send the header Content-Type: application/json, once."),
    };
    let mut parts = value.split(';').map(str::trim);
    if !parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        return refuse("Send the body as JSON, with Content-Type: application/json.");
    }
    for parameter in parts {
        if let Some((name, charset)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("charset")
            && !matches!(
                charset.trim().trim_matches('"').to_ascii_lowercase().as_str(),
                "utf-8" | "utf8"
            )
        {
            return refuse("Send the body in UTF-8.");
        }
    }
    Ok(())
}

/// Parses JSON (RFC 8259). Rejects duplicate keys, more than 32 levels, and anything after the end.
pub fn parse(bytes: &[u8]) -> Result<Raw, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("it is not valid UTF-8"))?;
    if text.trim_ascii().is_empty() {
        return Err(malformed("it is empty; send a JSON object"));
    }
    let raw: &RawValue =
        serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
    build(raw.get(), DEPTH)
}

fn build(text: &str, depth: usize) -> Result<Raw, Problem> {
    let wrong = |error: serde_json::Error| malformed(&error.to_string());
    Ok(match text.as_bytes().first() {
        Some(b'n') => Raw::Null,
        Some(b't') => Raw::Bool(true),
        Some(b'f') => Raw::Bool(false),
        Some(b'"') => Raw::Text(serde_json::from_str(text).map_err(wrong)?),
        Some(b'[' | b'{') if depth == 0 => {
            return Err(malformed("it is nested deeper than 32 levels"));
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(wrong)?;
            Raw::Array(
                items
                    .into_iter()
                    .map(|item| build(item.get(), depth - 1))
                    .collect::<Result<_, _>>()?,
            )
        }
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text).map_err(wrong)?;
            let built = members
                .into_iter()
                .map(|(key, value)| Ok((key.into_owned(), build(value.get(), depth - 1)?)));
            Raw::Object(built.collect::<Result<_, Problem>>()?)
        }
        // The syntax was checked when the text was parsed, so only numbers remain.
        _ => Raw::Number(text.to_owned()),
    })
}

/// Members of an object, with unique keys.
struct Members<'j>(Vec<(Cow<'j, str>, &'j RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(Cow<'de, str>, &'de RawValue)> = Vec::new();
                let mut known = std::collections::HashSet::new();
                while let Some((Key(key), value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    if !known.insert(key.clone()) {
                        return Err(A::Error::custom(format!("the key {key:?} occurs twice")));
                    }
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[derive(Deserialize)]
struct Key<'j>(#[serde(borrow)] Cow<'j, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_text() {
        for text in [
            "0.1",
            "8.264462809917356",
            "1e2",
            "-0.0",
            "100000000000000000000000000000000000001",
            "1E+2",
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap(), Raw::Number(text.to_owned()));
        }
    }

    #[test]
    fn objects_keep_their_order() {
        let Raw::Object(members) =
            parse(br#" {"b":[1,{"x":null}],"a":"\u00e9\ud83d\ude00"} "#).unwrap()
        else {
            panic!()
        };
        assert_eq!(members[0].0, "b");
        assert_eq!(members[1], ("a".to_owned(), Raw::Text("é😀".to_owned())));
    }

    #[test]
    fn invalid_json_is_rejected() {
        let deep =
            |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels)).into_bytes();
        assert!(parse(&deep(32)).is_ok());
        let bad: Vec<Vec<u8>> = vec![
            b"".to_vec(),
            b"{".to_vec(),
            b"{} {}".to_vec(),
            b"{}x".to_vec(),
            b"{'a':1}".to_vec(),
            b"{\"a\":1,}".to_vec(),
            b"[1,]".to_vec(),
            b"NaN".to_vec(),
            b"Infinity".to_vec(),
            b"01".to_vec(),
            b"0x10".to_vec(),
            b"+1".to_vec(),
            b".5".to_vec(),
            b"1.".to_vec(),
            b"{\"a\":1,\"a\":2}".to_vec(),
            b"{\"x\":{\"a\":1,\"\\u0061\":2}}".to_vec(),
            b"\"\\ud800\"".to_vec(),
            b"\"\x01\"".to_vec(),
            b"\"\xff\"".to_vec(),
            b"\xef\xbb\xbf{}".to_vec(),
            deep(33),
            deep(100_000),
            b"// c\n{}".to_vec(),
            b"\"a".to_vec(),
            b"tru".to_vec(),
        ];
        for bytes in bad {
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
            assert_eq!(parse(&bytes).unwrap_err().kind.code, "malformed_json", "{shown}");
        }
    }
}
