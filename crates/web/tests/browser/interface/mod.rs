//! What is across areas.

mod entrance;
mod every_page;
mod keyboard;
mod newcomer;
mod open_data;
