internal import Console
internal import LanguageModels
package import ModelLab

/// Results of the tokens panel's effects.
package enum TokenAnswer: Sendable {
    case sessions([Session])
    case models([ModelEntry])
    case opened(OpenSessionBox, step: Int?)
    /// New session, and whether to run its prompt at once.
    case made(OpenSessionBox, running: Bool)
    /// The selected row is now open, for an action that started in the list.
    case openedFor(OpenSessionBox, TokenAction)
    /// The user confirmed the deletion of a row.
    case confirmed(SessionRowBox)
    case deleted(SessionRowBox)
    case restored(SessionRowBox)
    /// Answers of the open session changed.
    case listed(session: Int64, [GenerationSummary])
    case shown(Generation, step: Int?)
    case compared(Generation)
    case progress(key: String, GenerationRun.Progress, LiveBox?)
    case finished(key: String, Generation)
    case saved(Session)
    /// Name of a valid model or provider.
    case chosen(String)
    case done(String)
    case line(Line, String)
    case lineCancelled(Line)
    case edited(path: String)

    /// Purpose of a line that the user types.
    package enum Line: Hashable, Sendable {
        case say, model, settings, repeatCount, search, addModel, export, title
    }
}

/// Values of this panel, passed through the shell.
package struct OpenSessionBox: Sendable { let open: OpenSession }
package struct SessionRowBox: Hashable, Sendable {
    let kind: SessionTree.Row.Kind
    /// Description of the row, such as `session “Planets”`.
    let name: String
}
package struct LiveBox: Sendable { let view: LiveView }

/// An answer that waits for an earlier answer to finish.
struct PendingAnswer: Sendable {
    var generation: Generation
}

/// The other answer of a comparison.
struct ComparedAnswer: Sendable {
    var generation: Generation
    var text: TokenText
}
