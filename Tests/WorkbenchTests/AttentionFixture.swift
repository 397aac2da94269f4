import Console
import Synchronization
import TestFixtures
import Workbench
import Workspace

/// An attention engine without a model: tokens are the words of a text, and every weight is a known number.
final class PreparedAttention: AttentionEngine {
    let layers: Int
    let heads: Int
    private let texts = Mutex<[AttentionOrder]>([])
    private let came = Mutex(0)
    private let changed = Mutex<(changes: [HeadChange], token: Int)?>(nil)
    private let asked = Mutex<[AttentionRequest]>([])

    private let models: [String]

    init(layers: Int = 2, heads: Int = 3, models: [String] = ["mini", "other"]) {
        self.layers = layers
        self.heads = heads
        self.models = models
    }

    var orders: [AttentionOrder] { texts.withLock { $0 } }
    var requests: [AttentionRequest] { asked.withLock { $0 } }
    var change: (changes: [HeadChange], token: Int)? { changed.withLock { $0 } }

    /// The weight of a key for a query: all of it on the token before, less so in later heads.
    static func weights(query: Int, head: Int) -> [Float] {
        guard query > 0 else { return [1] }
        var weights = [Float](repeating: 0, count: query + 1)
        let share = 1 / Float(head + 1)
        weights[query - 1] = share
        weights[0] += 1 - share
        // Too little to be written with three digits.
        if query > 2 {
            weights[1] += 0.000_1
            weights[query - 1] -= 0.000_1
        }
        return weights
    }

    private func run(_ index: Int) -> AttentionRun? {
        let orders = texts.withLock { $0 }
        guard orders.indices.contains(index) else { return nil }
        var tokens = Self.tokens(of: orders[index])
        let prompt = tokens.count
        tokens += (0..<came.withLock { $0 }).map { " more\($0)" }
        return AttentionRun(
            title: orders[index].model, tokens: tokens, promptCount: prompt, readCount: tokens.count, layers: layers,
            heads: heads, tokensPerSecond: 50)
    }

    static func tokens(of order: AttentionOrder) -> [String] {
        guard case .text(let text) = order.content else { return [] }
        return text.split(separator: " ", omittingEmptySubsequences: false).enumerated().map {
            ($0.offset == 0 ? "" : " ") + $0.element
        }
    }

    private func runs() throws -> AttentionRuns {
        guard let first = run(0) else { throw Refusal(sentence: "nothing is open.") }
        var second = run(1)
        let isChange = change != nil
        if isChange { second = run(0) }
        return AttentionRuns(first: first, second: second, isChange: isChange)
    }

    struct Refusal: Error, CustomStringConvertible {
        var sentence: String
        var description: String { sentence }
    }

    private func look(_ request: AttentionRequest, _ run: AttentionRun, shift: Float) -> AttentionLook {
        var look = AttentionLook(request: request)
        let count = run.readCount
        look.scores[.induction] = (0..<layers * heads).map { Float($0) / Float(layers * heads) + shift }
        look.scores[.previousToken] = (0..<layers * heads).map { 1 / Float($0 % heads + 1) }
        look.definitions[.induction] = "the mean weight on the token after an earlier copy"
        var values = [Float](repeating: .nan, count: count * count)
        for query in 0..<count {
            for (key, weight) in Self.weights(query: query, head: request.head).enumerated() {
                values[query * count + key] = weight + (key == 0 ? shift : 0)
            }
        }
        let whole = HeatGrid(rows: count, columns: count, values: values)
        let queries = request.window.queries(of: count)
        let keys = request.window.keys(of: count)
        look.head = HeadPicture(
            grid: HeatGrid(
                rows: queries.count, columns: keys.count,
                values: queries.flatMap { query in keys.map { whole[query, $0] } }),
            queries: queries, keys: keys, queriesPerCell: 1, keysPerCell: 1, note: "1 cell = 1 weight")
        if request.miniRows > 0 {
            look.miniCell = CellSpan(
                queries: 2, keys: 2, pooling: request.pooling, isWeighted: request.isWeighted)
            look.heatmaps = Array(repeating: whole.pooled(rows: 4, columns: 4, by: .max), count: layers * heads)
        }
        look.attended = Self.weights(query: request.token, head: request.head)
        if request.wantsAttending {
            look.attending = (0..<count).map { query in
                query < request.token ? .nan : Self.weights(query: query, head: request.head)[request.token]
            }
        }
        look.facts = TokenFacts(
            probability: 0.25, entropy: 1.5, alternatives: [(" cat", 0.5), (" dog", 0.25)])
        if let range = request.range {
            look.share = RangeShare(
                range: range, sum: 0.42, heads: layers * heads, top: [(layer: 1, head: 2, share: 0.3)])
        }
        switch request.tab {
        case .lens:
            look.lens = LensPicture(
                layers: ["0_pre", "1_pre", "final_post"], positions: 0..<count,
                cells: (0..<3).map { layer in
                    (0..<count).map { _ in
                        (top: [("guess\(layer)", 0.3 * Float(layer + 1))], rank: 3 - layer, probability: 0.1)
                    }
                }, target: request.target ?? " next")
        case .norms: look.norms = HeatGrid(rows: layers, columns: count, values: (0..<layers * count).map { Float($0) })
        case .experts: look.missing[.experts] = "the model has no experts"
        case .token, .sums: break
        }
        return look
    }

    // MARK: The engine

    func modelNames() -> [String] { models }

    func order(answer: Int64, step: Int?) -> AttentionOrder {
        AttentionOrder(
            model: "mini", content: .text("answer \(answer) goes on"), place: .token(step ?? 0), answer: 1..<4)
    }

    func order(trace: Int64, span: Int, step: Int?) -> AttentionOrder {
        AttentionOrder(
            model: "mini", content: .text("recorded call"), place: .byte(9), remark: "gpt does not run here")
    }

    func order(of citation: CitedPassage) -> AttentionOrder {
        AttentionOrder(
            model: "mini", content: .text("the passage says: red. It is red"), place: .byte(25),
            passage: citation.passage == .chunk(9) ? "passage says: red" : "never said")
    }

    func order(ofFeature reference: Reference) -> AttentionOrder {
        AttentionOrder(model: "", content: .text(reference.title))
    }

    func preview(of reference: Reference) -> Preview { .shows(reference.title) }

    func open(
        _ order: AttentionOrder, isSecond: Bool, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns {
        if case .text("refused") = order.content {
            throw Refusal(sentence: "The text does not fit. 512 tokens would.")
        }
        tell(.reading(1, of: 2))
        texts.withLock { $0 = isSecond ? Array($0.prefix(1)) + [order] : [order] }
        changed.withLock { $0 = nil }
        came.withLock { $0 = 0 }
        var runs = try runs()
        if !isSecond { runs.settle(order, in: TokenBytes(Self.tokens(of: order).map { Array($0.utf8) })) }
        return runs
    }

    func closeSecond() {
        texts.withLock { $0 = Array($0.prefix(1)) }
        changed.withLock { $0 = nil }
    }

    func generate(_ tokens: Int?, _ cancellation: Cancellation, _ tell: AttentionTelling) throws -> AttentionRuns {
        for _ in 0..<(tokens ?? 3) {
            came.withLock { $0 += 1 }
            tell(.came(try runs()))
        }
        return try runs()
    }

    func stepBack(_ cancellation: Cancellation) throws -> AttentionRuns {
        came.withLock { $0 = max(0, $0 - 1) }
        return try runs()
    }

    func change(
        _ changes: [HeadChange], from token: Int, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns {
        changed.withLock { $0 = (changes, token) }
        return try runs()
    }

    func look(_ request: AttentionRequest, _ cancellation: Cancellation) throws -> AttentionLooks {
        asked.withLock { $0.append(request) }
        guard let first = run(0) else { throw Refusal(sentence: "nothing is open.") }
        var looks = AttentionLooks(first: look(request, first, shift: 0))
        if let second = try runs().second { looks.second = look(request, second, shift: 0.125) }
        if let change { looks.divergence = .init(from: change.token, values: [0, 0.5], mean: 0.25) }
        return looks
    }
}

/// Drives an attention page and runs its operations to their end at once.
@dynamicMemberLookup
final class AttentionDriver {
    let prepared: PreparedAttention
    private let made: TestWorkspace
    private let driver: PageDriver<AttentionPage>

    init(
        _ prepared: PreparedAttention = PreparedAttention(), size: Size = Size(120, 40), text: String? = nil,
        saved: String? = nil
    ) throws {
        self.prepared = prepared
        made = try TestWorkspace()
        driver = PageDriver(made.workspace, size: size, saved: saved) { _ in AttentionPage(engine: prepared) }
        try finish()
        if let text {
            try press("prompt")
            try answer(text)
        }
    }

    /// Creates a driver of a page whose engine runs real models.
    init(_ made: TestWorkspace, size: Size = Size(120, 40)) throws {
        prepared = PreparedAttention()
        self.made = made
        driver = PageDriver(made.workspace, size: size)
        try finish()
    }

    subscript<Value>(dynamicMember path: KeyPath<PageDriver<AttentionPage>, Value>) -> Value { driver[keyPath: path] }

    private func finish() throws { try driver.finishStream("attention") }

    func press(_ names: String...) throws {
        for name in names {
            driver.press(name)
            try finish()
        }
    }

    func answer(_ text: String) throws {
        driver.answer(text)
        try finish()
    }

    func open(_ reference: Reference) throws -> Bool {
        let isOpen = driver.open(reference)
        try finish()
        return isOpen
    }

    func click(column: Int, row: Int) { driver.click(column: column, row: row) }

    /// The title and the text of the open dialog.
    var asked: Prompt<any Sendable>? { driver.dialog?.asked }

    /// The name that an export proposes, without its ending.
    var offered: String { asked.map { String($0.text.prefix { $0 != "." }) } ?? "" }

    /// What is seen.
    func screen(_ theme: Theme = .mono) -> String { surface(theme).textDump }

    func surface(_ theme: Theme) -> Surface {
        var surface = Surface(driver.size)
        driver.host.render(into: &surface, area: surface.bounds, theme: theme)
        return surface
    }
}
