internal import Console
internal import LanguageModels
package import ModelLab

/// What comes back to the tokens panel.
package enum TokenAnswer: Sendable {
    case sessions([Session])
    case models([ModelEntry])
    case opened(OpenSessionBox, step: Int?)
    /// A new session, to be answered at once or not.
    case made(OpenSessionBox, running: Bool)
    /// The row under the cursor is open now, for an action that began in the list.
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
    /// A word for who answers was understood.
    case chosen(String)
    case done(String)
    case line(Line, String)
    case lineCancelled(Line)
    case edited(path: String)

    /// What a line was asked for.
    package enum Line: Hashable, Sendable {
        case say, model, settings, repeatCount, search, addModel, export, title
    }
}

/// Values of this panel alone, passed through the shell.
package struct OpenSessionBox: Sendable { let open: OpenSession }
package struct SessionRowBox: Hashable, Sendable {
    let kind: SessionTree.Row.Kind
    /// The row in words: `session “Planets”`.
    let name: String
}
package struct LiveBox: Sendable { let view: LiveView }

/// An answer that waits for the one before it.
struct PendingAnswer: Sendable {
    var generation: Generation
}

/// The other answer of a comparison.
struct ComparedAnswer: Sendable {
    var generation: Generation
    var text: TokenText
}
