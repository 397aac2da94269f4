public import Models

/// Which hooks a run keeps.
public enum HookSelection: Sendable {
    case none
    case all
    case only(Set<Hook>)

    public func contains(_ hook: Hook) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .only(let hooks): hooks.contains(hook)
        }
    }
}
