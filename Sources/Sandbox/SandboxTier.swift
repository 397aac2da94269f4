/// Kinds of cages, the strongest first.
public enum SandboxTier: String, Hashable, Sendable, CaseIterable {
    /// The program `bwrap`, with our filter of system calls.
    case bubblewrap
    /// Namespaces of our own for users, mounts, processes, network and messages, with Landlock and the same filter.
    case namespaces

    /// What screens show.
    public var title: String {
        switch self {
        case .bubblewrap: "bubblewrap with seccomp"
        case .namespaces: "user namespaces with Landlock and seccomp"
        }
    }
}
