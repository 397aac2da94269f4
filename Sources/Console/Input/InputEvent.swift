/// Events from the terminal and the operating system.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse was used.
    case mouse(Mouse)
    /// A bracketed paste, delivered in one piece.
    case paste(String)
    /// The terminal has a new size.
    case resize(Size)
    /// The mailbox contains a message.
    case wake
    /// SIGTERM or SIGINT was received; clean up and exit.
    case terminate
    /// The terminal was closed.
    case hangup
    /// The process was suspended and resumed; redraw everything.
    case resumed
    /// The terminal reported its background color, which can happen at any time after the first frame.
    case background(dark: Bool)
}

/// A mouse report, with its position in cells.
public struct Mouse: Hashable, Sendable {
    /// Mouse actions.
    public enum Action: Hashable, Sendable { case press, release, drag, scrollUp, scrollDown, doubleClick }
    /// Mouse buttons.
    public enum Button: Hashable, Sendable { case left, middle, right, none }

    /// Mouse action.
    public var action: Action
    /// Mouse button; `none` if the report names no button.
    public var button: Button
    /// Cell under the pointer.
    public var point: Point
    /// Modifier keys held.
    public var modifiers: Key.Modifiers

    /// Creates a mouse report.
    public init(_ action: Action, button: Button = .left, at point: Point, modifiers: Key.Modifiers = []) {
        self.action = action
        self.button = button
        self.point = point
        self.modifiers = modifiers
    }
}
