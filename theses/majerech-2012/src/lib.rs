//! The proof-number search of Majerech 2012: APNS.
