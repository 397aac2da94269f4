/// The origin of a run: an agent, or a part of the workbench that records its own work. Raw values are stored in
/// workspaces and must never change.
public enum TraceOrigin: UInt8, CaseIterable, Comparable, Sendable {
    /// An agent, and every run that another program recorded.
    case agent = 0
    /// A chat or a single generation.
    case chat = 1
    /// A sample of an evaluation, including judge calls.
    case eval = 2
    /// A question to a retrieval pipeline.
    case retrieval = 3
    /// A training run.
    case training = 4

    /// The word used in filters, JSON, and on the command line.
    public var name: String {
        switch self {
        case .agent: "agent"
        case .chat: "chat"
        case .eval: "eval"
        case .retrieval: "retrieval"
        case .training: "training"
        }
    }

    /// Plural name of runs with this origin: `agents`, `chats`.
    public var plural: String {
        switch self {
        case .agent: "agents"
        case .chat: "chats"
        case .eval: "evals"
        case .retrieval: "retrievals"
        case .training: "trainings"
        }
    }

    public init?(name: some StringProtocol) {
        guard let origin = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = origin
    }

    public static func < (one: TraceOrigin, other: TraceOrigin) -> Bool { one.rawValue < other.rawValue }
}
