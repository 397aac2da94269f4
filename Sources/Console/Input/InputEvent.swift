/// What comes from the terminal.
public enum InputEvent: Hashable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Bracketed paste, delivered whole.
    case paste(String)
    case resize(Size)
    /// A message waits in the mailbox.
    case wake
    /// SIGTERM or SIGINT from outside: leave in good order.
    case terminate
    /// The terminal is gone.
    case hangup
    /// The process was stopped and continues: draw everything again.
    case resumed
    /// The terminal has said what its background is, which may be at any time after the first frame.
    case background(dark: Bool)
}

/// A mouse report in cells.
public struct Mouse: Hashable, Sendable {
    public enum Action: Hashable, Sendable { case press, release, drag, scrollUp, scrollDown, doubleClick }
    public enum Button: Hashable, Sendable { case left, middle, right, none }

    public var action: Action
    public var button: Button
    public var point: Point
    public var modifiers: Key.Modifiers

    public init(_ action: Action, button: Button = .left, at point: Point, modifiers: Key.Modifiers = []) {
        self.action = action
        self.button = button
        self.point = point
        self.modifiers = modifiers
    }
}
