internal import Traces

/// Which runs the list shows: those of one origin, or all.
enum RunScope: Hashable, Sendable {
    case only(TraceOrigin)
    case all

    /// What the list begins with.
    static let agents = RunScope.only(.agent)

    /// nil for all.
    var origins: Set<TraceOrigin>? {
        if case .only(let origin) = self { [origin] } else { nil }
    }

    /// What its runs are called: `agents`, `all`.
    var title: String {
        if case .only(let origin) = self { origin.plural } else { "all" }
    }

    /// As the last screen keeps it.
    var identifier: String {
        if case .only(let origin) = self { origin.name } else { "all" }
    }

    init?(identifier: String) {
        if identifier == "all" {
            self = .all
        } else if let origin = TraceOrigin(name: identifier) {
            self = .only(origin)
        } else {
            return nil
        }
    }

    func holds(_ origin: TraceOrigin) -> Bool { origins?.contains(origin) ?? true }

    /// The scopes that a list goes through: agents, the other origins that have runs, and all; the present one too.
    static func choices(in census: TraceCensus, besides present: RunScope = .agents) -> [RunScope] {
        let origins = TraceOrigin.allCases.filter { origin in
            origin == .agent || census.counts[origin] ?? 0 > 0 || present == .only(origin)
        }
        let scopes = origins.map(RunScope.only)
        return scopes.count > 1 || present == .all ? scopes + [.all] : scopes
    }

    /// The scope after this one, going round.
    func next(in census: TraceCensus) -> RunScope {
        let choices = Self.choices(in: census, besides: self)
        let place = choices.firstIndex(of: self) ?? 0
        return choices[(place + 1) % choices.count]
    }
}
