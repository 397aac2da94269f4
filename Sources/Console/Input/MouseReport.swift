/// A parser for mouse reports.
enum MouseReport {
    /// Returns the report for `button ; column ; row` in the SGR encoding (mode 1006), which counts from 1.
    static func sgr(_ numbers: [Int], released: Bool) -> Mouse? {
        guard numbers.count >= 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        return mouse(code: numbers[0], column: numbers[1] - 1, row: numbers[2] - 1, released: released)
    }

    /// Returns the report for the three bytes of the X11 encoding (mode 1000), each reduced by 32.
    static func old(_ values: [Int]) -> Mouse? {
        guard values.count == 3, values[0] >= 0, values[1] > 0, values[2] > 0 else { return nil }
        let released = values[0] & 3 == 3 && values[0] & 64 == 0
        return mouse(code: values[0], column: values[1] - 1, row: values[2] - 1, released: released)
    }

    private static func mouse(code: Int, column: Int, row: Int, released: Bool) -> Mouse? {
        var modifiers: Key.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let point = Point(column: column, row: row)
        let buttons: [Mouse.Button] = [.left, .middle, .right, .none]
        if code & 128 != 0 { return nil }
        if code & 64 != 0 {
            // 66 and 67 report horizontal scrolling, which has no action.
            guard code & 3 < 2 else { return nil }
            let action: Mouse.Action = code & 1 == 0 ? .scrollUp : .scrollDown
            return Mouse(action, button: .none, at: point, modifiers: modifiers)
        }
        let button = buttons[code & 3]
        let action: Mouse.Action = released ? .release : code & 32 != 0 ? .drag : .press
        if action == .drag, button == .none { return nil }
        return Mouse(action, button: button, at: point, modifiers: modifiers)
    }
}
