package import Console

/// What reaches a panel.
package enum Event<Action: Sendable, Answer: Sendable>: Sendable {
    /// The panel is shown for the first time; `saved` is what it last returned from `save()`.
    case start(saved: String?)
    /// A key, command or palette entry of the panel's own bindings.
    case action(Action)
    /// A mouse report inside the panel's area.
    case mouse(Mouse)
    /// The panel's area, before the first drawing and whenever it changes.
    case resize(Rect)
    /// The value of an effect that it asked for.
    case answer(Answer)
    /// An effect that it asked for could not be done; the sentence has been shown.
    case failed(key: String, sentence: String)
    /// What the workspace holds has changed under the panel: an import ended, another panel deleted something.
    case changed
}
