//! Game files and archives: records as text, as tables and as JSON.
