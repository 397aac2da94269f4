internal import JSON
internal import System
public import Tokenizers

/// Writes the corpus of a recipe: tokens and weights in rows, a tokenizer, held-out sets and a data card.
///
/// ```swift
/// let recipe = try SyntheticRecipe(contentsOf: "orrery-mini.toml")
/// let card = try SyntheticCorpus(recipe).write(to: "corpus")
/// print(card.markdown)
/// ```
/// Files: `tokenizer.json`; `train.tokens` and `validation.tokens` (16-bit unsigned integers, little-endian, in rows of
/// `context` tokens, whole documents and then end-of-text up to the end of a row); `.weights` next to them (one byte a
/// token, its weight as a target in hundredths); `sample.txt` for people; `card.md` and `card.json`.
public struct SyntheticCorpus {
    public static let endOfText = "<|endoftext|>"

    public let recipe: SyntheticRecipe

    public init(_ recipe: SyntheticRecipe) { self.recipe = recipe }

    /// The tokenizer that the recipe asks for, trained on the first documents of every source.
    public func makeTokenizer() throws -> TokenizerDocument {
        var generator = SyntheticGenerator(recipe)
        var texts: [String] = []
        var turns = SourceTurns(recipe.phases[recipe.phases.count - 1].shares, recipe.sources.map(\.name))
        while texts.count < recipe.tokenizerSample {
            let (source, number) = turns.next()
            let text = try generator.document(source: source, number: number).text
            turns.add(text.utf8.count, to: source)
            texts.append(text)
        }
        let patterns: [String: BPETrainer.Pattern] = ["gpt2": .gpt2, "llama3": .llama3, "qwen2": .qwen2]
        let trainer = BPETrainer(
            vocabularySize: recipe.vocabularySize, minimumFrequency: recipe.minimumFrequency,
            specialTokens: [Self.endOfText],
            pattern: patterns[recipe.pattern] ?? .qwen2)
        return try trainer.train(on: texts)
    }

    /// Writes all files; those that are there are replaced once the new ones are whole.
    ///
    /// - Parameters:
    ///   - progress: told the share that is done, 0...1.
    /// - Throws: ``Problem``, or `TrainingError` where no tokenizer can be trained.
    public func write(
        to folder: String, progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws -> DataCard {
        try SyntheticFile.makeFolder(folder)
        let json = if let given = recipe.tokenizerText { given } else { try makeTokenizer().json }
        let tokenizer = try Tokenizer(json: Array(json.utf8))
        let tokenizerFile = try SyntheticOutput(folder + "/tokenizer.json")
        try tokenizerFile.append(json.utf8)
        try tokenizerFile.finish()
        let sample = try SyntheticOutput(folder + "/sample.txt")
        var card = DataCard(recipe)
        card.vocabulary = tokenizer.vocabularySize
        try write(
            folder + "/train", tokens: recipe.tokens, phases: recipe.phases, SyntheticGenerator(recipe), tokenizer,
            sample,
            &card, progress, isCancelled)
        try sample.finish()
        // The validation set has the mixture of the last phase, and only held-out names and calculations.
        var last = recipe.phases[recipe.phases.count - 1]
        last.until = 1
        var held = DataCard(recipe)
        try write(
            folder + "/validation", tokens: recipe.evaluation.validation, phases: [last],
            SyntheticGenerator(recipe, isHeldOut: true), tokenizer, nil, &held, { _ in }, isCancelled)
        card.validationTokens = held.tokens
        card.validationDocuments = held.documents
        for (name, text) in [("card.md", card.markdown), ("card.json", card.json(.pretty) + "\n")] {
            let file = try SyntheticOutput(folder + "/" + name)
            try file.append(text.utf8)
            try file.finish()
        }
        return card
    }

    private func write(
        _ path: String, tokens wanted: Int, phases: [SyntheticRecipe.Phase], _ generator: SyntheticGenerator,
        _ tokenizer: Tokenizer, _ sample: SyntheticOutput?, _ card: inout DataCard, _ progress: (Double) -> Void,
        _ isCancelled: () -> Bool
    ) throws {
        var generator = generator
        var rows = try RowPacker(
            tokens: SyntheticOutput(path + ".tokens"), weights: SyntheticOutput(path + ".weights"),
            context: recipe.context)
        var gate = QualityGate(recipe, isHeldOut: generator.isHeldOut)
        var turns = SourceTurns([:], recipe.sources.map(\.name))
        let rowCount = max(1, wanted / recipe.context)
        var phase = -1
        var sampled = [Int](repeating: 0, count: recipe.sources.count)
        while rows.rowsDue < rowCount {
            let done = Double(rows.rowsDue) / Double(rowCount)
            let now = max(phase, phases.firstIndex { done < $0.until } ?? phases.count - 1)
            if now != phase {
                turns.begin(phases[now].shares)
                rows.filled = min(recipe.context, phases[now].row ?? recipe.context)
                phase = now
            }
            if card.generated % 512 == 0 {
                progress(done)
                if isCancelled() {
                    throw Problem(.cancelled, path, "the generation was canceled", remedy: "No files were replaced.")
                }
            }
            let (source, number) = turns.next()
            let document = try generator.document(source: source, number: number)
            let text = document.text
            card.generated += 1
            if let verdict = gate.verdict(on: document, text: text, source: source) {
                card.count(verdict)
                turns.add(text.utf8.count / 64, to: source)
                guard gate.isFruitful else {
                    throw Problem(
                        .invalid, recipe.name,
                        "the filters reject nearly every document of the source \(recipe.sources[source].name)",
                        remedy: "Loosen the filters, or extend the grammar.")
                }
                continue
            }
            var row = RowPacker.Document()
            for segment in document.segments {
                for id in tokenizer.encode(segment.text, addingSpecialTokens: false, parsingSpecialTokens: false) {
                    row.tokens.append(UInt16(truncatingIfNeeded: Int(id)))
                    row.weights.append(segment.weight)
                }
            }
            row.tokens.append(0)
            row.weights.append(100)
            guard row.tokens.count <= recipe.context else {
                card.count(.tooLong)
                continue
            }
            turns.add(row.tokens.count, to: source)
            card.add(document, source: source, tokens: row.tokens.count)
            if let sample, sampled[source] < 25 {
                sampled[source] += 1
                try sample.append((text + "\n").utf8)
            }
            try rows.add(row)
        }
        try rows.finish(rowCount)
        card.padding = rows.padding
        card.tokens = rowCount * recipe.context
        progress(1)
    }
}

/// Whose turn it is: the source that is furthest behind its share of the tokens.
struct SourceTurns {
    private var shares: [Double]
    private var given: [Double]
    private var numbers: [Int]
    private let names: [String]

    init(_ shares: [String: Double], _ names: [String]) {
        self.names = names
        self.shares = names.map { shares[$0] ?? 0 }
        given = names.map { _ in 0 }
        numbers = names.map { _ in 0 }
    }

    /// Begins a phase: what was given before does not count.
    mutating func begin(_ shares: [String: Double]) {
        self.shares = names.map { shares[$0] ?? 0 }
        given = names.map { _ in 0 }
    }

    mutating func next() -> (source: Int, number: Int) {
        var best = 0
        var least = Double.infinity
        for index in shares.indices where shares[index] > 0 {
            let behind = given[index] / shares[index]
            if behind < least {
                least = behind
                best = index
            }
        }
        numbers[best] += 1
        return (best, numbers[best] - 1)
    }

    mutating func add(_ tokens: Int, to source: Int) { given[source] += Double(max(1, tokens)) }
}
