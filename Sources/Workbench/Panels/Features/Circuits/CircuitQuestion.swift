internal import Interpretability
internal import JSON
internal import Presentation

/// What is asked of a model: two prompts, two answers, and where the difference is looked for.
package struct CircuitQuestion: Hashable, Sendable {
    /// How a cell of the map is found.
    enum Method: String, CaseIterable, Sendable {
        /// Every cell is run.
        case patching
        /// All cells from one backward pass.
        case attribution
        /// Heads and feed-forwards of the clean prompt are taken out.
        case ablation
    }

    /// The path of a model's file; empty for none.
    var model = ""
    var clean = ""
    var corrupt = ""
    /// Texts of the two tokens; empty for those that the model says.
    var answer = ""
    var wrong = ""
    var method = Method.patching
    var site = PatchSite.residualPre
    var axes = PatchAxes.layerByPosition
    var grain = AttributionGrain.heads

    package init() {}

    /// Why nothing can be run yet.
    var missing: String? {
        if model.isEmpty { return "choose a model: press M" }
        if clean.isEmpty { return "type a prompt: press C" }
        if corrupt.isEmpty, method != .ablation { return "type a prompt with a different answer: press X" }
        return nil
    }

    /// Whether the prompts are the sample's.
    var isSample: Bool { clean == SampleTexts.circuit.clean && corrupt == SampleTexts.circuit.corrupt }

    /// What the border of the map says.
    var title: String {
        method == .ablation
            ? "ablation of heads and feed-forward layers" : "\(method.rawValue) of \(site.rawValue), \(axes.rawValue)"
    }

    /// The next place, with axes that it has.
    mutating func nextSite() {
        let all = PatchSite.allCases
        site = all[((all.firstIndex(of: site) ?? 0) + 1) % all.count]
        if !site.hasHeads { axes = .layerByPosition }
    }

    mutating func nextAxes() {
        guard site.hasHeads else { return }
        let all = PatchAxes.allCases
        axes = all[((all.firstIndex(of: axes) ?? 0) + 1) % all.count]
    }

    mutating func nextMethod() {
        let all = Method.allCases
        method = all[((all.firstIndex(of: method) ?? 0) + 1) % all.count]
    }

    mutating func nextGrain() {
        let all = AttributionGrain.allCases
        grain = all[((all.firstIndex(of: grain) ?? 0) + 1) % all.count]
    }
}

extension CircuitQuestion {
    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("model", model)
            $0.member("clean", clean)
            $0.member("corrupt", corrupt)
            $0.member("answer", answer)
            $0.member("wrong", wrong)
            $0.member("method", method.rawValue)
            $0.member("site", site.rawValue)
            $0.member("axes", axes.rawValue)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self.init()
        document.withRoot { root in
            model = root["model"]?.string ?? ""
            clean = root["clean"]?.string ?? ""
            corrupt = root["corrupt"]?.string ?? ""
            answer = root["answer"]?.string ?? ""
            wrong = root["wrong"]?.string ?? ""
            method = root["method"]?.string.flatMap(Method.init(rawValue:)) ?? .patching
            site = root["site"]?.string.flatMap(PatchSite.init(rawValue:)) ?? .residualPre
            axes = root["axes"]?.string.flatMap(PatchAxes.init(rawValue:)) ?? .layerByPosition
        }
    }
}
