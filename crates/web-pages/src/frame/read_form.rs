//! Reads the form of a POST request and rejects it unless it comes from one of our pages.

use crate::{
    context::PageContext,
    csrf,
    form::{Form, FormFile, MISSING_FILE},
    form_problems::{FOREIGN_FORM, FORM_TOO_LARGE, MALFORMED_FORM, NOT_A_FORM, STALE_FORM},
};
use axum::{
    body::{self, Body, Bytes},
    http::{HeaderMap, header},
};
use service::{bank_statements::MOST_BYTES, receipts::MAX_BYTES, text};
use web_core::{capacity::Asker, catalogue::RATE_LIMITED, problem::Problem};

/// Maximum number of files in a form.
const MOST_FILES: usize = 3;
/// Maximum size of a form's fields, in bytes: enough for an invoice of 500 rows.
const FORM_SIZE: usize = 512 * 1024;
/// Maximum size in bytes of a sign-in form that carries another form, which is encoded a second
/// time.
const FORM_WITH_ANOTHER: usize = FORM_SIZE + FORM_SIZE / 2;
/// Maximum number of bytes read from a form with files. The rest of an oversized file is skipped,
/// so that the fields after it can still be read.
const MOST_READ: u64 = 256 * 1024 * 1024;
/// Overhead added for each part of `multipart/form-data`, in bytes, since even an empty part uses
/// memory.
const PART_SIZE: usize = 64;

/// Form whose origin has been checked.
pub enum ReadForm {
    /// Submitted from a page of this session.
    Trusted(Form),
    /// Submitted from one of our own pages, according to the browser, but in an ended session. Must
    /// not be processed.
    OfEndedSession(Form),
}

impl PageContext {
    /// Reads the form and checks that it comes from one of our pages.
    pub async fn read_form(&self, headers: &HeaderMap, body: Body) -> Result<ReadForm, Problem> {
        if csrf::is_foreign(headers, &self.app.config().base_url) {
            return Err(Problem::new(FOREIGN_FORM, "another site sent the form"));
        }
        if let (Some(limiter), Some(who)) = (self.app.form_limiter(), self.signed_in()) {
            let allowance = limiter.take(who.account.id, self.app.now());
            if allowance.is_spent() {
                let seconds = allowance.retry_after().to_string();
                return Err(Problem::new(RATE_LIMITED, "too many forms were sent")
                    .with_header(header::RETRY_AFTER, &seconds));
            }
        }
        let content_type =
            headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        let kind = content_type.split(';').next().unwrap_or("").trim();
        let form = if kind.eq_ignore_ascii_case("multipart/form-data") && takes_files(self.path()) {
            // Files are accepted only from an identified user.
            match self.signed_in() {
                Some(who) => {
                    let permit =
                        self.app.capacity().uploads.acquire(who.account.id, Asker::Visitor).await?;
                    read_multipart(content_type, body, FileLimits::of(self.path()))
                        .await?
                        .with_permit(permit)
                }
                None => read_fields_before_files(content_type, body).await?,
            }
        } else if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            let most =
                if self.path().starts_with("/login") { FORM_WITH_ANOTHER } else { FORM_SIZE };
            let body = body::to_bytes(body, most)
                .await
                .map_err(|_| Problem::new(FORM_TOO_LARGE, "the form is too large"))?;
            Form::read(&body).map_err(|_| Problem::new(MALFORMED_FORM, "the form is not UTF-8"))?
        } else {
            return Err(Problem::new(NOT_A_FORM, "the body is not a form"));
        };
        let came =
            self.session_secret().filter(|secret| csrf::is_token(secret, form.raw(csrf::FIELD)));
        match came {
            Some(_) => Ok(ReadForm::Trusted(form)),
            None if csrf::is_own(headers, &self.app.config().base_url) => {
                Ok(ReadForm::OfEndedSession(form))
            }
            None => Err(stale()),
        }
    }
}

/// Problem reported for a form that belongs to another session.
pub fn stale() -> Problem {
    Problem::new(STALE_FORM, "the form is not of this session")
}

/// Whether the form submitted to a path may contain files.
pub fn takes_files(path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    let (first, second, third) = (parts.next(), parts.next(), parts.next());
    match (first, second, third) {
        (Some("receipts" | "assets" | "bank-statements"), None, _)
        | (Some("settings"), Some("invoices"), None | Some("preview")) => true,
        (Some("expenses"), id, None) => {
            id.is_none_or(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
        }
        _ => false,
    }
}

/// Limits for the files in a form.
#[derive(Clone, Copy)]
struct FileLimits {
    /// Maximum number of files.
    files: usize,
    /// Maximum size of a file in bytes.
    each: usize,
    /// Maximum size of all files in bytes.
    total: usize,
}

impl FileLimits {
    const RECEIPTS: Self =
        Self { files: MOST_FILES, each: MAX_BYTES, total: MOST_FILES * (MAX_BYTES + 1) };
    /// Two years of monthly statements, together as large as one file of the API.
    const STATEMENTS: Self = Self { files: 24, each: MOST_BYTES, total: MOST_BYTES };

    fn of(path: &str) -> Self {
        if path == "/bank-statements" { Self::STATEMENTS } else { Self::RECEIPTS }
    }
}

/// Reads `multipart/form-data` (RFC 7578): fields and files.
async fn read_multipart(
    content_type: &str,
    body: Body,
    limits: FileLimits,
) -> Result<Form, Problem> {
    let boundary = multer::parse_boundary(content_type)
        .map_err(|_| Problem::new(NOT_A_FORM, "the form has no boundary"))?;
    let constraints =
        multer::Constraints::new().size_limit(multer::SizeLimit::new().whole_stream(MOST_READ));
    let mut parts =
        multer::Multipart::with_constraints(body.into_data_stream(), boundary, constraints);
    let (mut pairs, mut files, mut size, mut size_of_files) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(mut part) = parts.next_field().await.map_err(|error| unreadable(&error))? {
        let name = part.name().unwrap_or("").to_owned();
        let file_name = part.file_name().map(str::to_owned);
        let is_file = file_name.is_some() || part.content_type().is_some();
        // One byte more than the limit is read, so that later validation notices when the limit is
        // exceeded.
        let bytes =
            beginning(&mut part, if is_file { limits.each + 1 } else { FORM_SIZE + 1 }).await?;
        if is_file {
            size_of_files += bytes.len();
            // Without a chosen file, a file field is submitted as an empty part with an empty file
            // name.
            if !bytes.is_empty() || file_name.as_deref().is_some_and(|name| !name.is_empty()) {
                files.push(FormFile {
                    field: name,
                    name: file_name.as_deref().and_then(plain_name),
                    bytes,
                });
            }
            // A single file that is too large is reported by its own validation.
            if files.len() > limits.files || files.len() > 1 && size_of_files > limits.total {
                return Err(Problem::new(FORM_TOO_LARGE, "the form has too many files"));
            }
            continue;
        }
        size += PART_SIZE + name.len() + bytes.len();
        if size > FORM_SIZE {
            return Err(Problem::new(FORM_TOO_LARGE, "the form is too large"));
        }
        let value = String::from_utf8(bytes.to_vec())
            .map_err(|_| Problem::new(MALFORMED_FORM, "the form is not UTF-8"))?;
        pairs.push((name, value));
    }
    Ok(Form::of(pairs).with_files(files))
}

/// Reads the first `most` bytes of a part and skips the rest.
async fn beginning(part: &mut multer::Field<'_>, most: usize) -> Result<Bytes, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| unreadable(&error))? {
        let room = most.saturating_sub(bytes.len());
        bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    Ok(bytes.into())
}

/// Reads the fields before the first file of a form whose session has ended. Of the file, only the
/// name is carried along: the resubmitted form asks for the file and is rejected without it.
async fn read_fields_before_files(content_type: &str, body: Body) -> Result<Form, Problem> {
    let boundary = multer::parse_boundary(content_type)
        .map_err(|_| Problem::new(NOT_A_FORM, "the form has no boundary"))?;
    let constraints =
        multer::Constraints::new().size_limit(multer::SizeLimit::new().per_field(FORM_SIZE as u64));
    let mut parts =
        multer::Multipart::with_constraints(body.into_data_stream(), boundary, constraints);
    let (mut pairs, mut size) = (Vec::new(), 0);
    while let Some(part) = parts.next_field().await.map_err(|error| unreadable(&error))? {
        let name = part.name().unwrap_or("").to_owned();
        let file_name = part.file_name().map(str::to_owned);
        if let Some(name) = file_name.as_deref().filter(|name| !name.is_empty()) {
            pairs.push((MISSING_FILE.to_owned(), plain_name(name).unwrap_or_default()));
            break;
        }
        let value = part.text().await.map_err(|error| unreadable(&error))?;
        size += PART_SIZE + name.len() + value.len();
        if size > FORM_SIZE {
            return Err(Problem::new(FORM_TOO_LARGE, "the form is too large"));
        }
        if file_name.is_none() {
            pairs.push((name, value));
        }
    }
    Ok(Form::of(pairs))
}

fn unreadable(error: &multer::Error) -> Problem {
    match error {
        multer::Error::FieldSizeExceeded { .. } | multer::Error::StreamSizeExceeded { .. } => {
            Problem::new(FORM_TOO_LARGE, "the file is too large")
        }
        _ => Problem::new(MALFORMED_FORM, "the form cannot be read"),
    }
}

/// File name without folders, control characters and overrides of the direction of text.
fn plain_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or("");
    let plain: String = last.chars().filter(|c| !text::is_control(*c)).take(255).collect();
    let plain = plain.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_lose_folders_and_what_disguises_them() {
        let cases = [
            ("C:\\Bank\\maart.940", Some("maart.940")),
            ("../../maart.940", Some("maart.940")),
            ("a\u{7}b\u{202e}049.traam\u{2066}", Some("ab049.traam")),
            ("\u{202e}/ ", None),
        ];
        for (name, plain) in cases {
            assert_eq!(plain_name(name).as_deref(), plain, "{name:?}");
        }
    }

    #[tokio::test]
    async fn parts_without_name_and_value_count_as_well() {
        let body =
            [b"--x\r\n\r\n\r\n\r\n".repeat(FORM_SIZE / PART_SIZE + 1), b"--x--\r\n".to_vec()]
                .concat();
        let kind = "multipart/form-data; boundary=x";
        let whole =
            read_multipart(kind, Body::from(body.clone()), FileLimits::RECEIPTS).await.map(|_| ());
        let fields = read_fields_before_files(kind, Body::from(body)).await.map(|_| ());
        for read in [whole, fields] {
            assert_eq!(read.map_err(|problem| problem.kind.code), Err(FORM_TOO_LARGE.code));
        }
    }
}
