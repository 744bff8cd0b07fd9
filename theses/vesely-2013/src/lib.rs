//! The Tzaar player of Veselý 2013: WALTZ.
