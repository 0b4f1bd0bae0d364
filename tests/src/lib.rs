//! Proof that Rollcast decides as Kubernetes does: vectors, reference, properties, cases.
