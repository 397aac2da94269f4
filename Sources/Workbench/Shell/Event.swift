package import Console

/// An event for a panel.
package enum Event<Action: Sendable, Answer: Sendable>: Sendable {
    /// The panel is shown for the first time; `saved` is what it last returned from `save()`.
    case start(saved: String?)
    /// An action of the panel's bindings, from a key, a command, or the palette.
    case action(Action)
    /// A mouse report inside the panel's area.
    case mouse(Mouse)
    /// The panel's area, before the first drawing and whenever it changes.
    case resize(Rect)
    /// The result of an effect.
    case answer(Answer)
    /// An effect failed; the message has been shown.
    case failed(key: String, sentence: String)
    /// The workspace changed: an import ended, or another panel deleted something.
    case changed
}
