internal import Console
internal import Interpretability
internal import Presentation

/// The page of circuits: which activation carries an answer, and what every part of the model adds to it.
struct CircuitPage: Sendable {
    enum Pane: String, CaseIterable, Sendable {
        case map, parts, cell
    }

    static var keyPrefix: String { "circuit" }

    let engine: CircuitEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.map
    var isZoomed = false
    var question = CircuitQuestion()
    private(set) var reading: CircuitReading?
    /// What Enter on a cell ran.
    private(set) var cell: CircuitCell?
    var cursor = HeatGrid.Position(row: 0, column: 0)
    var parts = ListView()
    /// Cells that are done, of all; `nil` while nothing runs.
    private(set) var progress: PatchProgress?
    private(set) var isRunning = false
    /// Why the last question could not be run.
    private(set) var fault: String?
    /// Panes that show their formulas and sums instead.
    var turned: Set<Pane> = []

    init(engine: CircuitEngine) { self.engine = engine }

    /// What comes back at the next start.
    var saved: String { question.text }

    mutating func restore(_ text: String) {
        if let question = CircuitQuestion(text: text) { self.question = question }
    }

    /// The page is shown: it begins with the model and text of the other page where it has none.
    mutating func start(model: String?, prompt: String) -> [Effect<FeatureAnswer>] {
        if question.model.isEmpty { question.model = model ?? "" }
        // A page without a question starts with the sample question for the model that comes with Orrery.
        if question.clean.isEmpty, question.corrupt.isEmpty, SampleTexts.isModel(question.model) {
            (question.clean, question.corrupt) = (SampleTexts.circuit.clean, SampleTexts.circuit.corrupt)
        }
        if question.clean.isEmpty { question.clean = prompt }
        return reading == nil && question.missing == nil ? run() : []
    }

    // MARK: Work

    mutating func run() -> [Effect<FeatureAnswer>] {
        if let missing = question.missing { return [.notify(missing, .warning)] }
        (isRunning, fault, cell) = (true, nil, nil)
        let (engine, question) = (engine, question)
        return [
            .stream(key: Self.keyPrefix + "-map") { cancellation, tell in
                let reading = try engine.run(question, until: cancellation) {
                    tell(.circuits(.grown(CircuitBox(reading: $0), PatchProgressBox(progress: $1))))
                }
                return .circuits(.found(CircuitBox(reading: reading)))
            }
        ]
    }

    private func runCell() -> [Effect<FeatureAnswer>] {
        guard let reading, !reading.map[cursor.row, cursor.column].isNaN else { return [] }
        let (engine, cursor) = (engine, cursor)
        return [
            .ask(key: Self.keyPrefix + "-cell") { _ in
                .circuits(
                    .cell(CircuitCellBox(cell: try engine.cell(reading, row: cursor.row, column: cursor.column))))
            }
        ]
    }

    mutating func receive(_ answer: CircuitAnswer) -> [Effect<FeatureAnswer>] {
        switch answer {
        case .grown(let box, let progress):
            reading = box.reading
            parts.count = box.reading.sum.parts.count
            self.progress = progress.progress
        case .found(let box):
            (reading, progress, isRunning) = (box.reading, nil, false)
            parts.count = box.reading.sum.parts.count
            cursor = box.reading.map.strongest(1).first.map { .init(row: $0.row, column: $0.column) } ?? cursor
            layoutPanes()
            return runCell()
        case .cell(let box): cell = box.cell
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .models(let names):
            return [
                .choose(
                    ModelChoices.request(names: names, current: question.model, cancelled: .lineCancelled) {
                        .circuits(.line(.model, $0))
                    })
            ]
        case .path(let path):
            question.model = path
            return runOrClear()
        case .answers(let right, let wrong):
            (question.answer, question.wrong) = (right, wrong)
            return runOrClear()
        }
        layoutPanes()
        return []
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<FeatureAnswer>] {
        guard key == Self.keyPrefix + "-map" else { return [] }
        // A late map would belong to the previous question.
        if reading?.question != question { clear() }
        (isRunning, progress, fault) = (false, nil, sentence)
        return []
    }

    /// Clears the results.
    private mutating func clear() {
        (reading, cell, fault) = (nil, nil, nil)
        parts.count = 0
    }

    /// Runs the question, or shows what is missing.
    private mutating func runOrClear() -> [Effect<FeatureAnswer>] {
        guard question.missing != nil else { return run() }
        clear()
        return isRunning ? perform(.cancel) : []
    }

    // MARK: Actions

    mutating func perform(_ action: FeatureAction) -> [Effect<FeatureAnswer>] {
        switch action {
        case .moveDown: move(1, 0)
        case .moveUp: move(-1, 0)
        case .left: move(0, -1)
        case .right: move(0, 1)
        case .pageDown: move(8, 0)
        case .pageUp: move(-8, 0)
        case .toTop: move(-10_000, 0)
        case .toEnd: move(10_000, 0)
        case .nextPane, .previousPane:
            let all = Pane.allCases
            let step = action == .nextPane ? 1 : all.count - 1
            pane = all[((all.firstIndex(of: pane) ?? 0) + step) % all.count]
            layoutPanes()
        case .zoom:
            isZoomed.toggle()
            layoutPanes()
        case .back:
            guard isZoomed else { return [.back] }
            isZoomed = false
            layoutPanes()
        case .open: return runCell()
        case .run: return run()
        case .cancel:
            (isRunning, progress) = (false, nil)
            return [.cancel(key: Self.keyPrefix + "-map")]
        case .model: return askModel()
        case .clean: return [ask("Clean prompt", .clean, question.clean)]
        case .corrupt: return [ask("Corrupt prompt: equally long, with a different answer", .corrupt, corruptProposal)]
        case .answers: return [askAnswers()]
        case .site: return change { $0.nextSite() }
        case .axes: return change { $0.nextAxes() }
        case .method: return change { $0.nextMethod() }
        case .grain: return change { $0.nextGrain() }
        case .formula:
            if turned.remove(pane) == nil { turned.insert(pane) }
        case .copy: return reading.map { [.copy(markdown($0), what: "the map")] } ?? []
        case .export:
            let endings = [".csv", ".safetensors", ".svg"]
            return [
                .fill(
                    FormRequest(export: "Export the pane", name: exportName, endings: endings) {
                        .circuits(.line(.export, $0))
                    })
            ]
        default: break
        }
        return []
    }

    private func askModel() -> [Effect<FeatureAnswer>] {
        let engine = engine
        return [.ask(key: Self.keyPrefix + "-models") { _ in .circuits(.models(try engine.models())) }]
    }

    private var corruptProposal: String { question.corrupt.isEmpty ? question.clean : question.corrupt }

    /// Asks for the two answers that the metric compares. Those in force are proposed.
    private func askAnswers() -> Effect<FeatureAnswer> {
        let proposed =
            question.answer.isEmpty ? reading.map { ($0.answers.right.trimmed, $0.answers.wrong.trimmed) } : nil
        let (right, wrong) = proposed ?? (question.answer, question.wrong)
        let form = Form(
            "Answers",
            [
                .init(
                    "right", value: right, help: "One token. Leave empty for the most likely token after the prompt."),
                .init(
                    "wrong", value: wrong,
                    help: "One token. Leave empty for the most likely token after the corrupt prompt."),
            ])
        return .fill(
            FormRequest(form) {
                .circuits(.answers(right: ($0["right"] ?? "").trimmed, wrong: ($0["wrong"] ?? "").trimmed))
            })
    }

    private mutating func change(_ body: (inout CircuitQuestion) -> Void) -> [Effect<FeatureAnswer>] {
        body(&question)
        return runOrClear()
    }

    private mutating func move(_ rows: Int, _ columns: Int) {
        guard pane != .parts else { return parts.move(by: rows) }
        guard let map = reading?.map else { return }
        cursor.row = max(0, min(map.rows.labels.count - 1, cursor.row + rows))
        cursor.column = max(0, min(map.columns.labels.count - 1, cursor.column + columns))
    }

    mutating func moveCursor(to place: HeatGrid.Position) { cursor = place }

    /// Asks for one of the two prompts, with the present one to begin with.
    private func ask(_ title: String, _ purpose: CircuitAnswer.Line, _ text: String) -> Effect<FeatureAnswer> {
        .fill(
            FormRequest(text: title, verb: "run", text, cancelled: FeatureAnswer.lineCancelled) {
                .circuits(.line(purpose, $0))
            })
    }

    private mutating func accept(_ purpose: CircuitAnswer.Line, _ typed: String) -> [Effect<FeatureAnswer>] {
        switch purpose {
        case .model:
            if typed == ModelChoices.findFile {
                return [.browse(ModelChoices.browse { .circuits(.line(.model, $0)) })]
            }
            let engine = engine
            let word = PathCompletion.expanded(typed.trimmed)
            return [.ask(key: Self.keyPrefix + "-model") { _ in .circuits(.path(try engine.path(of: word))) }]
        case .clean:
            // Editing one prompt of the sample drops the other.
            if question.isSample, typed != question.clean { question.corrupt = "" }
            question.clean = typed
        case .corrupt: question.corrupt = typed
        case .export: return export(to: PathCompletion.expanded(typed.trimmed))
        }
        return runOrClear()
    }

    func disabledReason(_ action: FeatureAction) -> String? {
        switch action {
        case .open:
            reading == nil ? "run the circuit first: press r" : pane == .parts ? "Enter runs cells of the map" : nil
        case .copy, .export, .formula: reading == nil ? "run the circuit first: press r" : nil
        case .run: question.missing
        case .cancel: isRunning ? nil : "nothing is running"
        case .axes: question.site.hasHeads ? nil : "this site has no heads: s changes the site"
        case .site: question.method == .ablation ? "ablation always covers heads and feed-forwards" : nil
        case .model, .clean, .corrupt, .answers, .method, .grain: nil
        case .moveDown, .moveUp, .left, .right, .pageDown, .pageUp, .toTop, .toEnd, .nextPane, .previousPane, .zoom,
            .back:
            nil
        default: "works only in features: press c"
        }
    }
}
