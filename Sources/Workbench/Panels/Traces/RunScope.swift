internal import Traces

/// Runs in the list: runs of one origin, or all.
enum RunScope: RawRepresentable, Hashable, Sendable {
    case only(TraceOrigin)
    case all

    /// Initial scope.
    static let agents = RunScope.only(.agent)

    /// Origins of the scope; `nil` for all.
    var origins: Set<TraceOrigin>? {
        if case .only(let origin) = self { [origin] } else { nil }
    }

    /// Plural name of the scope's runs, such as `agents` or `all`.
    var title: String {
        if case .only(let origin) = self { origin.plural } else { "all" }
    }

    /// Name in saved screens.
    var rawValue: String {
        if case .only(let origin) = self { origin.name } else { "all" }
    }

    init?(rawValue: String) {
        if rawValue == "all" {
            self = .all
        } else if let origin = TraceOrigin(name: rawValue) {
            self = .only(origin)
        } else {
            return nil
        }
    }

    func holds(_ origin: TraceOrigin) -> Bool { origins?.contains(origin) ?? true }

    /// Returns the scopes that a list cycles through: agents, other origins with runs, all, and the current one.
    static func choices(in census: TraceCensus, besides present: RunScope = .agents) -> [RunScope] {
        let origins = TraceOrigin.allCases.filter { origin in
            origin == .agent || census.counts[origin] ?? 0 > 0 || present == .only(origin)
        }
        let scopes = origins.map(RunScope.only)
        return scopes.count > 1 || present == .all ? scopes + [.all] : scopes
    }

    /// Returns the next scope, wrapping around.
    func next(in census: TraceCensus) -> RunScope {
        let choices = Self.choices(in: census, besides: self)
        let place = choices.firstIndex(of: self) ?? 0
        return choices[(place + 1) % choices.count]
    }
}
