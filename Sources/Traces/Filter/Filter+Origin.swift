internal import Configuration

extension Filter {
    /// Whether the filter names origins itself, which turns off the default scope of lists.
    public var namesOrigins: Bool {
        expression.conditions.contains { if case .origin = $0 { true } else { false } }
    }

    /// Returns the filter limited to runs of some origins.
    ///
    /// `nil` changes nothing, and origins that the filter itself names take precedence.
    ///
    /// ```swift
    /// let failed = try Filter(parsing: "errors>0").within([.agent])    // errors>0 origin:agent
    /// let chats = try Filter(parsing: "origin:chat").within([.agent])  // origin:chat
    /// ```
    public func within(_ origins: Set<TraceOrigin>?) -> Filter {
        guard let origins, !namesOrigins else { return self }
        return and(.condition(.origin(origins)))
    }

    /// Returns the filter limited to runs whose project contains a text; `nil` changes nothing.
    public func within(project: String?) -> Filter {
        guard let project else { return self }
        return and(.condition(.text(.project, .contains, project)))
    }

    private func and(_ other: FilterExpression) -> Filter {
        Filter(text: text, isEmpty ? other : .and([other, expression]))
    }
}

extension QueryExpression<FilterCondition> {
    /// The expression split into the origins that every match must have and the remaining condition.
    ///
    /// The origins are `nil` if the expression does not require any.
    /// An index finds the runs of an origin, so only the remaining condition is checked per row.
    var splitByOrigin: (origins: Set<TraceOrigin>?, rest: FilterExpression) {
        switch self {
        case .condition(.origin(let origins)): return (origins, .everything)
        case .and(let parts):
            let split = parts.map(\.splitByOrigin)
            let demanded = split.compactMap(\.origins)
            let rest = split.map(\.rest).filter { $0 != .everything }
            let origins = demanded.first.map { demanded.dropFirst().reduce($0) { $0.intersection($1) } }
            return (origins, rest.isEmpty ? .everything : rest.count == 1 ? rest[0] : .and(rest))
        default: return (nil, self)
        }
    }
}
