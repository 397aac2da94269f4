internal import Console

/// The attention panel: what the heads of a model attend to, what each layer would predict, and what changes if a head
/// is turned off. It reads any text, even during generation.
package struct AttentionPanel: Panel {
    package static let identifier = "attention"
    package static let title = "Attention"
    package static let opens: Set<Reference.Kind> = [
        .token, .generation, .span, .citation, .feature, .attentionHead,
    ]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case heads, head, tokens, reading
    }

    let engine: AttentionEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.tokens
    /// Pane that a narrow screen shows, of two that share an area.
    var upperPane = Pane.heads
    var lowerPane = Pane.tokens
    var isZoomed = false
    /// Text and model that run, or that `r` would run.
    var order = AttentionOrder(model: "", content: .text(""))
    var run: AttentionRun?
    /// Second run of a comparison: another text or model, or the first run with changed heads.
    var second: AttentionRun?
    var looks: AttentionLooks?
    var request = AttentionRequest()
    /// Key of the cross.
    var key = 0
    var measure = HeadMeasure.induction
    var shading = TokenShading.attendsTo
    var shown = ShownSide.first
    var tokens = ShadedTokens()
    var otherTokens = ShadedTokens()
    /// Row of the lens under the cursor, and number of scrolled rows in the reading pane.
    var lensRow = 0
    var changes: [HeadChange] = []
    /// The first token at which changed heads apply.
    var changesStart = 0
    var search = ""
    var knownModels: [String]?
    /// Operation in progress, or `nil`.
    var work: Work?
    /// Error of the last operation.
    var fault: String?
    /// Whether an object opened from another panel is loading.
    var isOpening = false
    /// Whether the screen of the last start was restored.
    var isRestored = false
    /// Whether the cursor moves to the key of largest weight once the weights are known.
    var wantsStrongest = false
    /// File of the last edit.
    var draft: String?

    /// Operations that the user waits for.
    enum Work: Hashable, Sendable {
        case reading(Int, of: Int)
        case generating, changing, stepping

        static let key = "attention"
    }

    package init(_ context: PanelContext) {
        self.init(engine: AttentionEngine(context.workspace))
    }

    package init(engine: AttentionEngine) { self.engine = engine }

    // MARK: What is looked at

    /// The token under the cursor.
    var token: Int { tokens.cursor }

    /// Views of the visible side.
    var look: AttentionLook? { shown == .second ? looks?.second ?? looks?.first : looks?.first }

    /// Run of the visible side; its tokens label the pictures.
    var shownRun: AttentionRun? { shown == .second ? second ?? run : run }

    var headName: String { "L\(request.layer)H\(request.head)" }

    /// Change of the selected head, or `nil`.
    var changeOfHead: HeadChange? { changes.first { $0.layer == request.layer && $0.head == request.head } }

    /// Selection for other panels: a token of the open answer, the answer, or the call; for typed text, the head.
    package var selection: Reference? {
        guard run != nil else { return nil }
        if let origin = order.origin {
            guard let kind = Self.kindOfTokens(of: origin), let answer = order.answer, answer.contains(token) else {
                return origin
            }
            let step = token - answer.lowerBound
            return Reference(kind, origin.path + [Int64(step)], title: "token \(step + 1) of an answer")
        }
        var head = Reference(
            .attentionHead, [Int64(request.layer), Int64(request.head), Int64(token)],
            title: "\(headName) at token \(token)")
        head.onlyHere = "the text does not come from a generation or run."
        return head
    }

    /// Returns the kind of reference for the tokens of an origin; `nil` if other panels know only whole texts.
    private static func kindOfTokens(of origin: Reference) -> Reference.Kind? {
        switch origin.kind {
        case .generation: .token
        case .span: .span
        default: nil
        }
    }

    package mutating func open(_ reference: Reference) -> [Effect<AttentionAnswer>]? {
        let engine = engine
        guard let number = reference.path.first else { return nil }
        // The panel keeps its state for users who come back.
        if order.origin != nil, reference == selection { return [] }
        isOpening = reference.kind != .attentionHead
        switch reference.kind {
        case .token, .generation:
            let step = reference.kind == .token && reference.path.count > 1 ? Int(clamping: reference.path[1]) : nil
            let range = Self.range(in: reference)
            return [
                .ask(key: "find") { _ in
                    var order = try engine.order(number, step)
                    order.range = range
                    order.origin = Reference(.generation, [number], title: "answer \(number)")
                    return .found(AttentionOrderBox(order: order))
                }
            ]
        case .span:
            guard reference.path.count > 1 else { return nil }
            let span = Int(clamping: reference.path[1])
            let step = reference.path.count > 2 ? Int(clamping: reference.path[2]) : nil
            return [
                .ask(key: "find") { _ in
                    var order = try engine.recordedOrder(number, span, step)
                    order.origin = Reference(.span, [number, Int64(span)], title: reference.title)
                    return .found(AttentionOrderBox(order: order))
                }
            ]
        case .citation:
            guard let citation = CitedPassage(reference) else { return nil }
            return [
                .ask(key: "find") { _ in
                    var order = try engine.citedOrder(citation)
                    order.origin = reference
                    return .found(AttentionOrderBox(order: order))
                }
            ]
        case .feature:
            guard reference.path.count > 1 else { return nil }
            return [.ask(key: "find") { _ in .found(AttentionOrderBox(order: try engine.featureOrder(reference))) }]
        case .attentionHead:
            guard let run, reference.path.count > 1 else { return nil }
            select(layer: Int(clamping: number), head: Int(clamping: reference.path[1]))
            if reference.path.count > 2 {
                tokens.moveCursor(to: min(Int(clamping: reference.path[2]), run.tokens.count - 1))
                pane = .head
            }
            return cursorMoved()
        default: return nil
        }
    }

    /// Returns the range of a token's reference, such as a chunk of its context: `[answer, step, first, last]`.
    private static func range(in reference: Reference) -> Range<Int>? {
        guard reference.path.count > 3, reference.path[2] >= 0, reference.path[3] >= reference.path[2] else {
            return nil
        }
        let (first, last) = (Int(clamping: reference.path[2]), Int(clamping: reference.path[3]))
        return first..<(last == .max ? last : last + 1)
    }

    package func save() -> String { AttentionScreen(self).json }

    package mutating func update(
        _ event: Event<AttentionAction, AttentionAnswer>
    ) -> [Effect<AttentionAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: askModels()
        }
    }
}

extension Reference.Kind {
    /// A head of the attention panel: `[layer, head]`, and `[layer, head, token]` with a token of the open text.
    public static let attentionHead = Reference.Kind(rawValue: "attention-head")
}
