internal import Console

/// Changed heads, their first token, and the question before dropping them.
extension AttentionPanel {
    /// Description such as `L0H5 off, L1H2 × 2 from token 12`.
    var changesTitle: String {
        changes.map(\.title).joined(separator: ", ") + (changesStart > 0 ? " from token \(changesStart)" : "")
    }

    /// Asks for the factor of the selected head and for the first token at which changed heads apply.
    func askScale() -> [Effect<AttentionAnswer>] {
        let count = run?.tokens.count ?? 1
        let factor = Form.Field(
            "factor", value: "0.5", help: "0 turns the head off, 1 leaves it unchanged, 2 doubles it.",
            check: { Float($0)?.isFinite == true ? nil : "must be a number" })
        let start = Form.Field(
            "from", value: "\(changes.isEmpty ? 0 : changesStart)", allowed: "token 0 to \(count - 1)",
            help: "The change applies starting at this token. The cursor is on token \(token).",
            check: { Int($0).map { (0..<count).contains($0) } == true ? nil : "must be a token from 0 to \(count - 1)" }
        )
        return [
            .fill(
                FormRequest(Form("Scale \(headName)", [factor, start])) {
                    .scaled($0[factor.name] ?? "", from: $0[start.name] ?? "")
                })
        ]
    }

    mutating func scaleHead(_ factor: String, from start: String) -> [Effect<AttentionAnswer>] {
        guard let scale = Float(factor), let start = Int(start) else { return [] }
        changesStart = start
        changes.removeAll { $0.layer == request.layer && $0.head == request.head }
        if scale != 1 { changes.append(HeadChange(layer: request.layer, head: request.head, scale: scale)) }
        return applyChanges()
    }

    // MARK: Dropping

    /// Returns whether an action drops changed heads, so that a question comes first. Restoring a single head needs no
    /// question.
    func dropsChanges(_ action: AttentionAction) -> Bool {
        guard !changes.isEmpty else { return false }
        return switch action {
        case .prompt, .editPrompt, .model, .run, .compare: true
        case .resetHeads: changes.count > 1
        case .back: !isZoomed && (request.window.isWhole || pane != .head) && second != nil
        default: false
        }
    }

    func askDrop(before action: AttentionAction) -> Effect<AttentionAnswer> {
        let label =
            switch action {
            case .prompt, .editPrompt: "discard and change the text"
            case .model: "discard and choose a model"
            case .run: "discard and read the text again"
            case .compare: "discard and choose what to compare"
            default: "discard"
            }
        return .question(
            Question(
                changes.count == 1 ? "Discard the head change?" : "Discard \(changes.count) head changes?",
                lines: ["B runs with \(changesTitle)."], [.init("d", label, value: .confirmed(action))]))
    }
}
