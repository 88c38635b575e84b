//! The doors of the service: the REST API, and room for OAuth, the pages and open data.
