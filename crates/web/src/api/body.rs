//! A request's body, read as JSON with every number kept as it was written.

use crate::{catalogue, problem::Problem};
use axum::{
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

/// The largest body, in bytes.
const LIMIT: usize = 1024 * 1024;
/// How deep arrays and objects may be nested.
const DEPTH: usize = 32;
/// How long a body may take to arrive.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A JSON value. Numbers keep their text: an amount never passes through a binary float.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Reads the whole body: media type, size, syntax, in this order.
pub(crate) async fn read(request: Request) -> Result<Json, Problem> {
    let (parts, body) = request.into_parts();
    require_json(&parts.headers)?;
    let length =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|text| text.parse::<u64>().ok());
    if length.is_some_and(|length| length > LIMIT as u64) {
        return Err(too_large());
    }
    let bytes = tokio::time::timeout(TIMEOUT, Limited::new(body, LIMIT).collect())
        .await
        .map_err(|_| {
            Problem::new(
                catalogue::REQUEST_TIMEOUT,
                "The body did not arrive within 20 seconds, so nothing was done; send the request again.",
            )
            .with_header(header::CONNECTION, "close")
        })?
        .map_err(|error| {
            if error.downcast_ref::<LengthLimitError>().is_some() {
                too_large()
            } else {
                malformed("the body ended before it was complete")
            }
        })?
        .to_bytes();
    parse(&bytes)
}

fn too_large() -> Problem {
    Problem::new(catalogue::BODY_TOO_LARGE, "Nothing was done; send a body of at most 1 MiB.")
        .with_header(header::CONNECTION, "close")
}

fn malformed(reason: &str) -> Problem {
    Problem::new(catalogue::MALFORMED_JSON, format!("The body cannot be read as JSON: {reason}."))
}

fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    let refuse =
        |detail| Err(Problem::new(catalogue::UNSUPPORTED_MEDIA_TYPE, detail).with_header(header::ACCEPT, "application/json"));
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
            && !matches!(charset.trim().trim_matches('"').to_ascii_lowercase().as_str(), "utf-8" | "utf8")
        {
            return refuse("Send the body in UTF-8.");
        }
    }
    Ok(())
}

/// Reads JSON text (RFC 8259); refuses duplicate keys, more than 32 levels, and anything after the end.
pub(crate) fn parse(bytes: &[u8]) -> Result<Json, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("it is not valid UTF-8"))?;
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
    build(raw.get(), DEPTH)
}

fn build(text: &str, depth: usize) -> Result<Json, Problem> {
    let wrong = |error: serde_json::Error| malformed(&error.to_string());
    Ok(match text.as_bytes().first() {
        Some(b'n') => Json::Null,
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        Some(b'"') => Json::Text(serde_json::from_str(text).map_err(wrong)?),
        Some(b'[' | b'{') if depth == 0 => return Err(malformed("it is nested deeper than 32 levels")),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(wrong)?;
            Json::Array(items.into_iter().map(|item| build(item.get(), depth - 1)).collect::<Result<_, _>>()?)
        }
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text).map_err(wrong)?;
            let built = members.into_iter().map(|(key, value)| Ok((key.into_owned(), build(value.get(), depth - 1)?)));
            Json::Object(built.collect::<Result<_, Problem>>()?)
        }
        // The grammar was checked when the whole was read, so what is left is a number.
        _ => Json::Number(text.to_owned()),
    })
}

/// The members of an object, each key once.
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
        for text in ["0.1", "8.264462809917356", "1e2", "-0.0", "100000000000000000000000000000000000001", "1E+2"] {
            assert_eq!(parse(text.as_bytes()).unwrap(), Json::Number(text.to_owned()));
        }
    }

    #[test]
    fn objects_keep_their_order() {
        let Json::Object(members) = parse(br#" {"b":[1,{"x":null}],"a":"\u00e9\ud83d\ude00"} "#).unwrap() else { panic!() };
        assert_eq!(members[0].0, "b");
        assert_eq!(members[1], ("a".to_owned(), Json::Text("é😀".to_owned())));
    }

    #[test]
    fn what_is_not_json_is_refused() {
        let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels)).into_bytes();
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
