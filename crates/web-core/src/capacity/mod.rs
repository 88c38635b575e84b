//! Concurrency limits for expensive work, in total and per account.

mod fair_semaphore;

pub use fair_semaphore::{Asker, FairSemaphore, Permit};

use crate::http::TIME_LIMIT;
use fair_semaphore::Limits;
use std::{sync::Arc, thread::available_parallelism, time::Duration};

/// Maximum number of concurrent exports. Each holds a database connection until the client has read
/// the export.
const EXPORTS: usize = 2;
/// Maximum number of concurrent uploads; each file may be up to ten megabytes.
const UPLOADS: usize = 8;
/// Maximum number of concurrent uploads per account, so that a slow sender leaves room for other
/// accounts.
const UPLOADS_OF_ONE: usize = 2;
/// Maximum number of bank statements read at once; each may need two seconds and 64 megabytes.
const STATEMENTS: usize = 2;
/// Maximum number of pictures decoded at once; each may need a few hundred megabytes of memory.
const PICTURES: usize = 1;
/// Minimum number of documents rendered at once, even on a single processor. Because an account
/// renders one document at a time, a single account cannot make another account wait.
const LEAST_DOCUMENTS: usize = 2;
/// Maximum number of documents waiting to be rendered. Each holds its source data, up to a few
/// megabytes.
const WAITING_DOCUMENTS: usize = 256;
/// Maximum number of documents waiting to be rendered per account.
const WAITING_DOCUMENTS_OF_ONE: usize = 16;
/// Maximum time that a client waits for rendering to start.
const DOCUMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// Semaphores for expensive work.
pub struct Capacity {
    /// Streamed exports, which may take minutes; a client never waits for a permit.
    pub exports: Arc<FairSemaphore>,
    /// Requests with files, until the response.
    pub uploads: Arc<FairSemaphore>,
    /// Bank statements that are being read.
    pub statements: Arc<FairSemaphore>,
    /// Uploaded pictures that are being scaled down.
    pub pictures: Arc<FairSemaphore>,
    /// Documents rendered from invoices.
    pub documents: Arc<FairSemaphore>,
}

impl Default for Capacity {
    fn default() -> Self {
        let processors = available_parallelism()
            .map_or(LEAST_DOCUMENTS, |count| count.get().max(LEAST_DOCUMENTS));
        let none_waits = Limits {
            in_all: EXPORTS,
            of_one: 1,
            waiting: 0,
            waiting_of_one: 0,
            timeout: Duration::ZERO,
        };
        // The wait cannot be longer than the time limit for the request.
        let all_wait = Limits {
            waiting: usize::MAX,
            waiting_of_one: usize::MAX,
            timeout: TIME_LIMIT,
            ..none_waits
        };
        let documents = Limits {
            in_all: processors,
            of_one: 1,
            waiting: WAITING_DOCUMENTS,
            waiting_of_one: WAITING_DOCUMENTS_OF_ONE,
            timeout: DOCUMENT_TIMEOUT,
        };
        Self {
            exports: FairSemaphore::new("exports", none_waits),
            uploads: FairSemaphore::new(
                "uploads",
                Limits { in_all: UPLOADS, of_one: UPLOADS_OF_ONE, ..all_wait },
            ),
            statements: FairSemaphore::new(
                "statements",
                Limits { in_all: STATEMENTS, of_one: 1, ..all_wait },
            ),
            pictures: FairSemaphore::new(
                "pictures",
                Limits { in_all: PICTURES, of_one: PICTURES, ..all_wait },
            ),
            documents: FairSemaphore::new("documents", documents),
        }
    }
}
