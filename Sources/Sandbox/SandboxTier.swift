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

/// An error for a program that was not run, as one sentence.
public struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Problem, without a final period.
    public var problem: String
    /// Remedy as a whole sentence; empty if there is none.
    public var remedy: String

    public init(_ problem: String, remedy: String = "") {
        self.problem = problem
        self.remedy = remedy
    }

    public var sentence: String { "sandbox: \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }
}
