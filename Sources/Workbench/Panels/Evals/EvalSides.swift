internal import Console
internal import Evals
internal import LanguageModels
internal import Traces

/// The steps of one sample in two runs, side by side: one list with one cursor, and below it the texts of the selected step
/// on both sides.
struct EvalSides: Sendable {
    enum Side: Sendable {
        case left, right
    }

    var pair: EvalPair?
    var base: EvalRunEntry?
    var new: EvalRunEntry?
    private(set) var left: SampleSteps?
    private(set) var right: SampleSteps?
    private(set) var alignment = StepAlignment()
    var list = ListView()
    /// The highlighted side, whose trace Enter opens.
    var side = Side.right
    var before = TextView([])
    var after = TextView([])

    var isRead: Bool { left != nil || right != nil }

    /// Selected step of the pair; `nil` while the steps are being read.
    var stepKey: [Int]? {
        guard isRead, let pair else { return nil }
        return [pair.rowA, pair.rowB, list.selection]
    }

    /// The row under the cursor.
    var row: StepAlignment.Row? {
        alignment.rows.indices.contains(list.selection) ? alignment.rows[list.selection] : nil
    }

    /// Clears the steps until a pair is read; the highlighted side stays.
    mutating func wait(for pair: EvalPair, _ base: EvalRunEntry?, _ new: EvalRunEntry?) {
        let side = side
        self = EvalSides()
        (self.pair, self.base, self.new, self.side) = (pair, base, new, side)
    }

    /// Shows the steps, with the cursor at the first difference.
    mutating func show(_ left: SampleSteps?, _ right: SampleSteps?) {
        (self.left, self.right) = (left, right)
        alignment = StepAlignment(left?.steps ?? [], right?.steps ?? [])
        list.count = alignment.rows.count
        list.select(alignment.firstDifference ?? 0)
    }

    func step(_ side: Side, _ row: StepAlignment.Row) -> SampleSteps.Step? {
        switch side {
        case .left: row.left.flatMap { left?.steps[$0] }
        case .right: row.right.flatMap { right?.steps[$0] }
        }
    }

    /// Trace and span of the step under the cursor on the focused side; `nil` if that side has no such step.
    var selected: (trace: Int64?, span: Int?, name: String)? {
        guard let row, let step = step(side, row) else { return nil }
        return (side == .left ? left?.trace : right?.trace, step.span, step.name)
    }

    // MARK: Texts

    mutating func showTexts() {
        guard isRead else { return }
        let row = row
        let (one, other) = (row.flatMap { step(.left, $0) }, row.flatMap { step(.right, $0) })
        before.show(Self.sections(one, against: other, .left))
        after.show(Self.sections(other, against: one, .right))
        // Equal texts may fill the pane, so the texts start at the first difference.
        let parts = zip(one?.parts ?? [], other?.parts ?? []).prefix { $0 == $1 }.count
        guard parts > 0, row?.isSame == false else { return }
        for (step, isLeft) in [(one, true), (other, false)] {
            let place = TextPosition(section: parts * 3 + (step?.problem == nil ? 0 : 2), offset: 0)
            if isLeft { before.scroll(to: place) } else { after.scroll(to: place) }
        }
    }

    /// Longer texts are compared and shown up to here.
    private static let mostBytes = 60_000

    private static func sections(
        _ step: SampleSteps.Step?, against other: SampleSteps.Step?, _ side: Side
    ) -> [TextSection] {
        guard let step else { return [TextSection(StyledLine("this run has no step here", .dim, .italic))] }
        var sections: [TextSection] = []
        if let problem = step.problem {
            sections += [TextSection(problem, role: .failure), TextSection("")]
        }
        var rest = other?.parts[...]
        for part in step.parts {
            let place = rest?.firstIndex { $0.title == part.title }
            let partner = place.flatMap { rest?[$0] }
            if let place { rest = rest?[(place + 1)...] }
            sections += section(part, against: other == nil ? part : partner, side, isAlone: other == nil)
        }
        if step.parts.isEmpty { sections.append(TextSection(StyledLine("no text was recorded", .dim, .italic))) }
        return sections
    }

    private static func section(
        _ part: SampleSteps.Part, against other: SampleSteps.Part?, _ side: Side, isAlone: Bool
    ) -> [TextSection] {
        let (text, isCut) = cut(part.text)
        let isSame = other?.text == part.text
        var head = StyledLine(part.title, .heading)
        if isSame, !isAlone { head.append("  same", .dim) }
        if isCut { head.append("  truncated: Enter opens the rest", .warning) }
        let role: Console.Role = side == .left ? .diffRemoved : .diffAdded
        var body: TextSection
        if isSame {
            body = TextSection(text)
        } else if let other {
            let (one, two) = side == .left ? (text, cut(other.text).text) : (cut(other.text).text, text)
            let difference = WordDifference(one, two)
            body = TextSection(WordDifference.text(side == .left ? difference.left : difference.right, role))
        } else {
            body = TextSection(text, role: role)
        }
        if text.isEmpty { body = TextSection(StyledLine("(empty)", .dim)) }
        return [TextSection(head), body, TextSection("")]
    }

    private static func cut(_ text: String) -> (text: String, isCut: Bool) {
        guard text.utf8.count > mostBytes else { return (text, false) }
        return (String(decoding: Array(text.utf8.prefix(mostBytes)), as: UTF8.self), true)
    }
}
