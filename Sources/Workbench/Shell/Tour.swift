internal import Console

/// A guided first start: five steps through the sample workspace. The user ends each step by pressing its keys.
package struct Tour: Hashable, Sendable {
    /// One step of the tour.
    package struct Step: Hashable, Sendable {
        /// Explanation, with the key to press.
        package var text: String
        /// Key sequences in the notation of `KeyNotation`; any of them ends the step.
        package var keys: [String]
    }

    package static let steps = [
        Step(
            text: "Traces shows what an agent did. Press ]e to jump to its first failed step; what the model saw "
                + "appears next to it.", keys: ["]e"]),
        Step(
            text: "Press . to replay one step forward: the context on the left grows with what the step added.",
            keys: ["."]),
        Step(
            text:
                "Press 2 for Models. Its page Tokens shows a recorded answer, colored by the probability of each token.",
            keys: ["2"]),
        Step(
            text: "Press ] to go to the next surprising token: the alternatives show what else was likely.",
            keys: ["]]", "]"]),
        Step(
            text: "Press ? to see all keys of a page, Ctrl-P to find any action by name, or o to open the selection in "
                + "another panel.",
            keys: ["?", "ctrl-p", "o"]),
    ]

    private(set) var place = 0
    private var typed: [Key] = []

    var isOver: Bool { place >= Self.steps.count }
    var step: Step { Self.steps[min(place, Self.steps.count - 1)] }

    /// Records a key; the step ends once its keys were pressed.
    mutating func note(_ key: Key) {
        typed.append(key)
        if typed.count > 3 { typed.removeFirst() }
        let isDone = step.keys.contains { notation in
            // Failure is impossible: a test parses the keys of every step.
            guard let keys = try? KeyNotation.keys(notation) else { return false }
            return typed.suffix(keys.count) == keys[...]
        }
        guard isDone else { return }
        place += 1
        typed = []
    }
}

extension Shell {
    /// Starts the tour at its first step, on the Traces page.
    func beginTour() {
        overlay = nil
        tour = Tour()
        show(0)
    }

    /// Passes a key to the tour; Esc ends it.
    ///
    /// - Returns: Whether the tour consumed the key.
    func follow(_ key: Key) -> Bool {
        guard var tour else { return false }
        if key.code == .escape, overlay == nil {
            self.tour = nil
            notify("Tour ended. Press ? and then t to start it again.", .information)
            return true
        }
        tour.note(key)
        self.tour = tour.isOver ? nil : tour
        if tour.isOver { notify("End of the tour. Press ? for all keys of this page.", .success) }
        return false
    }

    /// Rows of the tour above the footer.
    var tourRows: Int { tour == nil ? 0 : min(4, max(0, size.rows - 8)) }

    func draw(_ tour: Tour, into surface: inout Surface) {
        guard tourRows >= 3 else { return }
        let area = Rect(
            column: 0, row: size.rows - 1 - tourRows, columns: size.columns, rows: tourRows)
        let title = FrameLabel("Tour", role: .titleFocused)
        let inside = Frame(
            title, count: FrameLabel("\(tour.place + 1) of \(Tour.steps.count)"),
            trailing: [FrameLabel("Esc ends it", role: .dim)], isFocused: true
        ).draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        var body = TextView([TextSection(StyledLine(tour.step.text, .text))])
        body.layout(Size(inside.columns, inside.rows))
        body.draw(into: &surface, in: inside, theme: theme)
    }
}
