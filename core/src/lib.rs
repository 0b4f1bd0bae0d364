//! Decides as the Kubernetes DaemonSet controller does: placement, rollout, simulation. No IO, no clock, no threads.
