//! The studies that regenerate the theses' tables.
