//! The alpha-beta player of Zhong 2005.
