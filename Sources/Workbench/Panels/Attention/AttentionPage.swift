internal import Console
internal import Presentation

/// The attention page: what the heads of a model attend to, what each layer would predict, and what changes if a head
/// is turned off. It reads any text, even during generation.
package struct AttentionPage: Page {
    package static let about = PageInfo(
        "attention", "Attention", opens: [.token, .generation, .span, .citation, .feature, .attentionHead])

    package enum PaneName: String, CaseIterable, Sendable {
        case heads, head, tokens, reading
    }

    /// Operations that the user waits for.
    enum Operation: Equatable {
        case reading(Int, of: Int)
        case generating, changing, stepping
    }

    package let engine: any AttentionEngine
    package var screen = Screen(PaneName.tokens) {
        didSet {
            switch screen.focus {
            case .heads, .head: upperPane = screen.focus
            case .tokens, .reading: lowerPane = screen.focus
            }
        }
    }
    /// Pane that a narrow screen shows, of two that share an area.
    var upperPane = PaneName.heads
    var lowerPane = PaneName.tokens
    /// Text and model that run, or that `r` would run.
    var order = AttentionOrder(model: "", content: .text(""))
    var run: AttentionRun?
    /// Second run of a comparison: another text or model, or the first run with changed heads.
    var second: AttentionRun?
    /// Number of changes of the runs, after each of which the views are read again.
    var revision = 0
    var looks: AttentionLooks?
    /// Settings of the views; the cursor and the sizes of the panes complete them.
    var request = AttentionRequest()
    /// Key of the cross.
    var key = 0
    var measure = HeadMeasure.induction
    var shading = TokenShading.attendsTo
    var shown = ShownSide.first
    var tokens = ShadedTokens()
    var otherTokens = ShadedTokens()
    /// Row of the lens under the cursor.
    var lensRow = 0
    var changes: [HeadChange] = []
    /// The first token at which changed heads apply.
    var changesStart = 0
    var search = ""
    var knownModels: [String]?
    /// Operation in progress, or `nil`.
    var operation: Operation?
    /// Error of the last operation.
    var fault: String?
    /// Whether an object opened from another page is loading.
    var isOpening = false
    /// Whether the screen of the last start was restored.
    var isRestored = false
    /// Whether the cursor moves to the key of largest weight once the weights are known.
    var wantsStrongest = false
    /// File of the last edit.
    var draft: String?

    package init(_ context: PanelContext) {
        self.init(engine: AttentionDesk(context.workspace))
    }

    package init(engine: any AttentionEngine) { self.engine = engine }

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

    /// Selection for other pages: a token of the open answer, the answer, or the call; for typed text, the head.
    package var selection: Reference? {
        guard run != nil else { return nil }
        if let origin = order.origin {
            let tokenKinds: [Reference.Kind: Reference.Kind] = [.generation: .token, .span: .span]
            guard let kind = tokenKinds[origin.kind], let answer = order.answer, answer.contains(token) else {
                // Other pages open such a text as a whole.
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

    // MARK: Reads

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "models", for: { _ in true }, read: { engine, _ in try engine.modelNames() }, then: { $0.propose($1) })
        reads.follow("cursor", { [$0.token, $0.key, $0.request.layer, $0.request.head] }) { $0.followCursor() }
        reads.add(
            "look", for: \.question, followsWorkspace: false, cancellable: { try $0.look($1.request, $2) },
            then: { $0.show($1) },
            failed: { page, sentence in
                page.fault = sentence
                return []
            })
    }

    /// Proposes a text that shows what heads do, unless the last start left one. The model that comes with Orrery reads it
    /// at once; any other model may be large and waits for Enter.
    private mutating func propose(_ models: [String]) -> Work<Self> {
        knownModels = models
        guard run == nil, operation == nil, fault == nil, !isOpening else { return [] }
        if order.model.isEmpty { order.model = SampleTexts.model(among: models) ?? models.first ?? "" }
        guard !order.model.isEmpty else { return [] }
        if order.isEmpty { order.content = .text(SampleTexts.attention.text) }
        guard SampleTexts.isModel(order.model) else { return [] }
        if !isRestored {
            (request.layer, request.head) = SampleTexts.attentionHead
            // The note names a head: its neighbors are one key away.
            screen.focus = .heads
        }
        return start(order)
    }

    // MARK: Saved state

    package mutating func archive(_ archive: inout Archive) {
        archive("measure", &measure)
        archive("shading", &shading)
        archive("reading", &request.tab)
        archive("weighted", &request.isWeighted)
        archive("model", &order.model)
        // Save the text of a recorded answer, since the next start has no tokens.
        var text = order.text ?? run?.tokens.joined() ?? ""
        archive("text", &text)
        archive("layer", &request.layer) { $0 >= 0 }
        archive("head", &request.head) { $0 >= 0 }
        guard archive.isReading else { return }
        order.content = .text(text)
        if shading == .divergence { shading = .attendsTo }
        isRestored = true
    }
}

extension Reference.Kind {
    /// A head of the attention page: `[layer, head]`, and `[layer, head, token]` with a token of the open text.
    public static let attentionHead = Reference.Kind(rawValue: "attention-head")
}
