//! The Monte-Carlo tree search of Kozelek 2009: Akimot.
