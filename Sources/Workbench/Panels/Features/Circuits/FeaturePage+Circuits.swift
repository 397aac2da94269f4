internal import Console
internal import FeatureLab
package import Interpretability
internal import Presentation

/// Circuits: which activation carries an answer, and what each part of the model adds to it.
extension FeaturePage {
    private static var mapKey: String { "circuit-map" }

    static func addCircuits(to actions: inout Actions<Self>) {
        actions.group("Circuits")
        actions.add("M", name: "model", "choose the model", unless: \.whyNoCircuits) { $0.chooseModel() }
        actions.add("C", name: "clean", "enter the clean prompt", hint: "prompt", unless: \.whyNoCircuits) {
            .text("Clean prompt", verb: "run", $0.circuit.question.clean) { page, typed in
                page.ask { question in
                    // Editing one prompt of the sample drops the other.
                    if question.isSample, typed != question.clean { question.corrupt = "" }
                    question.clean = typed
                }
            }
        }
        actions.add("X", name: "corrupt", "enter the corrupt prompt", hint: "corrupt", unless: \.whyNoCircuits) {
            page in
            let question = page.circuit.question
            return .text(
                "Corrupt prompt: equally long, with a different answer", verb: "run",
                question.corrupt.isEmpty ? question.clean : question.corrupt
            ) { page, typed in page.ask { $0.corrupt = typed } }
        }
        actions.add("A", name: "answers", "enter the two answers", hint: "answers", unless: \.whyNoCircuits) {
            $0.askAnswers()
        }
        actions.add("s", name: "site", "patch at the next site", hint: "site", unless: \.whyNoSite) {
            $0.ask { $0.nextSite() }
        }
        actions.add(
            "w", name: "axes", "change the axes: layer, head, or position", hint: "axes", unless: \.whyNoAxes
        ) { $0.ask { $0.axes = $0.axes.next } }
        actions.add(
            "v", name: "method", "change the method: patching, attribution, or ablation", hint: "method",
            unless: \.whyNoCircuits
        ) { $0.ask { $0.method = $0.method.next } }
        actions.add("b", name: "parts", "show bars of components, heads, or neurons", unless: \.whyNoCircuits) {
            $0.ask { $0.grain = $0.grain.next }
        }
    }

    private var whyNoCircuits: String? { showsCircuits ? nil : "works only in circuits: press c" }
    private var whyNoSite: String? {
        let reason = "ablation always covers heads and feed-forwards"
        return whyNoCircuits ?? (circuit.question.method == .ablation ? reason : nil)
    }
    private var whyNoAxes: String? {
        whyNoCircuits ?? (circuit.question.site.hasHeads ? nil : "this site has no heads: s changes the site")
    }
    var whyNoMap: String? { circuit.reading == nil ? "run the circuit first: press r" : nil }

    // MARK: Running

    /// Runs a circuit when the page is shown, with the model and text of the features if it has none.
    mutating func startCircuit() -> Work<Self> {
        if circuit.question.model.isEmpty { circuit.question.model = dictionary?.modelPath ?? "" }
        let question = circuit.question
        // The model that comes with Orrery starts with the sample question.
        if question.clean.isEmpty, question.corrupt.isEmpty, SampleTexts.isModel(question.model) {
            (circuit.question.clean, circuit.question.corrupt) = SampleTexts.circuit
        }
        if circuit.question.clean.isEmpty { circuit.question.clean = text.prompt.text }
        return circuit.reading == nil && circuit.question.missing == nil ? runCircuit() : []
    }

    mutating func runCircuit() -> Work<Self> {
        circuit.start()
        let question = circuit.question
        return stream(Self.mapKey) { engine, cancellation, tell in
            try engine.run(question, until: cancellation, tell: tell)
        } each: { (page: inout Self, reading: CircuitReading) in
            if question == page.circuit.question { page.circuit.show(reading) }
            return []
        } then: { page, reading in
            // The map of a canceled run may belong to the previous question.
            question == page.circuit.question ? page.show(reading) : []
        } failed: { page, sentence in
            page.circuit.fail(sentence)
            return []
        }
    }

    mutating func cancelCircuit() -> Work<Self> {
        circuit.isRunning = false
        return .cancel(Self.mapKey)
    }

    package mutating func show(_ reading: CircuitReading) -> Work<Self> {
        circuit.finish(reading)
        return runCell()
    }

    /// Runs the cell under the cursor again, to see what the model would generate.
    func runCell() -> Work<Self> {
        guard let reading = circuit.reading, circuit.hasScore else { return [] }
        let cursor = circuit.cursor
        return read("circuit-cell") {
            try $0.cell(reading, row: cursor.row, column: cursor.column)
        } show: { page, cell in
            page.circuit.cell = cell
        }
    }

    // MARK: The question

    /// Runs a changed question, or shows what is missing.
    private mutating func ask(_ change: (inout CircuitQuestion) -> Void) -> Work<Self> {
        change(&circuit.question)
        guard circuit.question.missing != nil else { return runCircuit() }
        circuit.clear()
        return circuit.isRunning ? cancelCircuit() : []
    }

    private func chooseModel() -> Work<Self> {
        read("circuit-models") {
            try $0.models()
        } then: { page, names in
            .choose(ModelChoices.request(names: names, current: page.circuit.question.model) { $0 }) { page, typed in
                guard typed == ModelChoices.findFile else { return page.use(model: typed) }
                return .browse(ModelChoices.browse { $0 }) { $0.use(model: $1) }
            }
        }
    }

    private func use(model typed: String) -> Work<Self> {
        guard !typed.trimmed.isEmpty else { return [] }
        return read("circuit-model") {
            try $0.path(of: PathCompletion.expanded(typed.trimmed))
        } then: { page, path in
            page.ask { $0.model = path }
        }
    }

    /// Asks for the two answers that the metric compares, with the current ones to begin with.
    private func askAnswers() -> Work<Self> {
        let question = circuit.question
        let current = question.answer.isEmpty ? circuit.reading?.answers : nil
        let (right, wrong) = current.map { ($0.right.trimmed, $0.wrong.trimmed) } ?? (question.answer, question.wrong)
        let fields: [Form.Field] = [
            .init("right", value: right, help: "One token. Leave empty for the most likely token after the prompt."),
            .init(
                "wrong", value: wrong,
                help: "One token. Leave empty for the most likely token after the corrupt prompt."),
        ]
        return .form(Form("Answers", fields)) { page, values in
            page.ask {
                $0.answer = (values["right"] ?? "").trimmed; $0.wrong = (values["wrong"] ?? "").trimmed
            }
        }
    }
}
