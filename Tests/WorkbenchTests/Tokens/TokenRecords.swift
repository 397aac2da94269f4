import Console
import Foundation
import LanguageModels
import ModelLab
import Workbench
import Workspace

/// Sessions and answers with fixed figures, as if a model had answered; nothing in them was computed by one.
enum TokenRecords {
    /// 16 minutes before the tests' now, in nanoseconds.
    static let morning = Place.now() - 960 * 1_000_000_000

    static let question = "Why do planets wander among the stars?"
    static let model = "stories260K"

    static let document = PromptDocument(
        model: model,
        input: .messages(
            [Message(.system, [.text("Answer in one sentence.")]), Message(.user, [.text(question)])], tools: []),
        sampling: Sampling(temperature: 0.8, topK: 8, seed: 7))

    static let answer: [String] = [
        "Pl", "anets", " wander", " because", " the", " Earth", " moves", ",", " too", ":", " seen", " from", " here",
        ",", " each", " planet", " goes", " now", " forward", ",", " now", " back", ",", " while", " the", " stars",
        " stay", " where", " they", " are", ".",
    ]

    /// How probable the model found each token, over and over.
    private static let probabilities = [0.93, 0.99, 0.71, 0.38, 0.88, 0.16, 0.55, 0.97, 0.034, 0.62, 0.81, 0.006]
    private static let others = [
        " they", " stars", " of", " our", " we", " slowly", "\n", " a", " orbits", " is", " night", " Sun",
    ]

    /// The tokens of the prompt, with where each came from.
    static let prompt: [PromptToken] = {
        let pieces: [(TokenOrigin, [String])] = [
            (.template, ["<|im_start|>", "system", "\n"]), (.system, ["Answer", " in", " one", " sentence", "."]),
            (.template, ["<|im_end|>", "\n", "<|im_start|>", "user", "\n"]),
            (.user, ["Why", " do", " planets", " wander", " among", " the", " stars", "?"]),
            (.template, ["<|im_end|>", "\n", "<|im_start|>", "assistant", "\n"]),
        ]
        let tokens = pieces.flatMap { origin, texts in texts.map { (origin, $0) } }
        return tokens.enumerated().map { PromptToken(id: 300 + $0.offset, text: $0.element.1, origin: $0.element.0) }
    }()

    /// A token with all that a model in this process tells.
    static func step(_ text: String, at place: Int, shift: Int = 0) -> TokenStep {
        let probability = probabilities[(place + shift) % probabilities.count]
        var weights: [(text: String, id: Int, probability: Double)] = [(text, 100 + place, probability)]
        var rest = 1 - probability
        for (index, other) in others.enumerated() where other != text {
            weights.append((other, 500 + index, rest * 0.45))
            rest *= 0.55
        }
        weights.sort { $0.probability > $1.probability }
        let cooled = weights.map { pow($0.probability, 1 / 0.8) }
        let all = cooled.reduce(0, +)
        let kept = cooled.prefix(8).reduce(0, +)
        let alternatives = weights.enumerated().map { index, weight in
            Alternative(
                id: weight.id, text: weight.text, logProbability: log(weight.probability),
                afterStages: [cooled[index] / all, index < 8 ? cooled[index] / kept : 0])
        }
        return TokenStep(
            text: text, id: 100 + place, logProbability: log(probability), entropy: entropy(weights.map(\.probability)),
            seconds: 0.0021 + 0.0004 * Double(place % 5) + (place % 13 == 9 ? 0.006 : 0), alternatives: alternatives,
            stages: [
                ProcessorStage(name: "temperature 0.8", remaining: 512, entropy: entropy(cooled.map { $0 / all })),
                ProcessorStage(name: "top-k 8", remaining: 8, entropy: entropy(cooled.prefix(8).map { $0 / kept })),
            ])
    }

    private static func entropy(_ shares: [Double]) -> Double { shares.reduce(0) { $0 - $1 * log($1) } }

    static let outcome = Generation.Outcome(
        .done, finish: "stop", usage: Usage(input: 26, output: 31), seconds: 0.094, secondsToFirstToken: 0.011)

    /// An answer that knows everything about its tokens.
    static func told(
        in session: Int64, _ texts: [String] = answer, document: PromptDocument = document, shift: Int = 0
    ) -> Generation {
        Generation(
            session: session, document: document, model: model, prompt: prompt,
            steps: texts.enumerated().map { step($0.element, at: $0.offset, shift: shift) }, started: morning,
            outcome: outcome)
    }

    /// An answer that leaves another one at a step by an alternative.
    static func branch(
        of parent: Generation, at place: Int, choosing alternative: Int, then texts: [String]
    ) -> Generation {
        var branch = parent
        branch.id = 0
        branch.parent = .init(generation: parent.id, step: place)
        branch.steps = Array(parent.steps.prefix(place))
        let left = parent.steps[place]
        if let chosen = left.alternatives?.filter({ $0.id != left.id })[alternative] {
            branch.steps.append(
                TokenStep(
                    text: chosen.text, id: chosen.id, logProbability: chosen.logProbability, entropy: left.entropy,
                    alternatives: left.alternatives, stages: left.stages))
        }
        branch.steps += texts.enumerated().map { step($0.element, at: place + 1 + $0.offset, shift: 3) }
        branch.outcome.usage = nil
        return branch
    }
}

extension TestWorkspace {
    var generations: GenerationStore { GenerationStore(workspace) }

    /// Records with a model and a session whose answer has token data.
    static func answered(document: PromptDocument = TokenRecords.document) throws -> TestWorkspace {
        let made = try TestWorkspace()
        let session = try made.session("planets", document)
        try made.generations.save(TokenRecords.told(in: session.id, document: document))
        return made
    }

    @discardableResult
    func session(_ title: String, _ document: PromptDocument, minutesBefore: Int64 = 0) throws -> Session {
        let time = TokenRecords.morning - minutesBefore * 60 * 1_000_000_000
        return try generations.save(Session(title: title, created: time, changed: time, draft: document.text))
    }

    /// One with two models, four sessions, a tree of branches, an endpoint that tells little, and a failure.
    static func conversed() throws -> TestWorkspace {
        try TestWorkspace(copying: try conversedTemplate.get(), as: "test.orrery")
    }

    /// It is made once; every test gets a copy of the file.
    private static let conversedTemplate: Result<String, any Error> = Result {
        let made = try TestWorkspace()
        let registry = ModelRegistry(made.workspace)
        try registry.add(
            name: TokenRecords.model, specification: "/models/stories260K.gguf",
            file: .init(
                architecture: "llama", formats: "f32", parameters: 260_032, bytes: 1_040_128, contextLength: 512,
                digest: 7),
            at: TokenRecords.morning)
        try registry.add(name: "mini", specification: "openai:gpt-4o-mini", file: nil, at: TokenRecords.morning)
        let store = made.generations

        var once = PromptDocument(model: TokenRecords.model, input: .text("Once upon a time"))
        once.sampling.maximumTokens = 64
        try made.session("Once upon a time", once, minutesBefore: 90)
        try made.session("new session", PromptDocument(model: "mini"), minutesBefore: 3_000)
        try made.session(
            "Translate the harbour's tide tables into Portuguese, and keep every figure as it is",
            PromptDocument(model: "mini", input: .messages([Message(.user, [.text("Translate")])], tools: [])),
            minutesBefore: 4_500)

        let session = try made.session("Why do planets wander among the stars?", TokenRecords.document)
        var root = TokenRecords.told(in: session.id)
        root.id = try store.save(root)
        var branch = TokenRecords.branch(
            of: root, at: 5, choosing: 1,
            then: [" do", " not", ",", " and", " are", " much", " nearer", " to", " us", "."])
        branch.id = try store.save(branch)
        try store.save(
            TokenRecords.branch(of: branch, at: 9, choosing: 0, then: [" watch", " them", " each", " night", "."]))
        var remote = Generation(
            session: session.id, document: TokenRecords.document, model: "gpt-4o-mini-2024-07-18",
            steps: ["Planets wander", " because", " they", " orbit", " the", " Sun", "."].map { TokenStep(text: $0) },
            started: TokenRecords.morning,
            outcome: Generation.Outcome(
                .done, finish: "stop", usage: Usage(input: 31, output: 8), seconds: 0.91, secondsToFirstToken: 0.42))
        remote.document.model = "mini"
        try store.save(remote)
        var failed = remote
        failed.steps = []
        failed.outcome = Generation.Outcome(
            .failed, finish: "failed", seconds: 0.2,
            problem: "openai: the variable OPENAI_API_KEY is not set. Set it to your key.")
        try store.save(failed)
        return Keeper.shared.hold(made)
    }
}

extension ShellDriver {
    /// Creates a shell with the tokens page in front.
    ///
    /// - Parameter isRestored: Whether to restore the last screen.
    static func tokens(
        _ workspace: Workspace, size: Size = Size(120, 40), opening: Reference? = nil, isRestored: Bool = false,
        clock: @escaping @Sendable () -> Int64 = Place.now
    ) -> ShellDriver {
        ShellDriver(
            workspace, size: size, panels: [PanelEntry(TokenPage.self), PanelEntry(TracePage.self)],
            opening: opening, isHeadless: !isRestored, clock: clock)
    }

    /// Types, and lets every answer come that is asked for.
    func ask(_ keys: String) throws {
        try type(keys)
        finishJobs()
    }

    /// Whether a cell that shows a text has the look of a role.
    func shows(_ text: String, as role: Console.Role) -> Bool {
        let screen = shell.draw()
        return (0..<screen.size.rows).contains { row in
            let line = screen.textOfRow(row)
            return line.ranges(of: text).contains { range in
                let column = line.distance(from: line.startIndex, to: range.lowerBound)
                return screen[Point(column: column, row: row)].style.foreground == Theme.dark[role].foreground
            }
        }
    }
}
