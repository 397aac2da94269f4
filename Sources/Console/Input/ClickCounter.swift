/// A double-click detector: a second press on the same cell within 400 ms.
struct ClickCounter {
    /// Maximum time between the two presses, in milliseconds.
    static let interval: Int64 = 400

    private var last: (button: Mouse.Button, point: Point, time: Int64)?

    mutating func count(_ mouse: Mouse, at time: Int64) -> Mouse {
        guard mouse.action == .press else { return mouse }
        if let last, last.button == mouse.button, last.point == mouse.point, time - last.time <= Self.interval {
            self.last = nil
            var double = mouse
            double.action = .doubleClick
            return double
        }
        last = (mouse.button, mouse.point, time)
        return mouse
    }
}
