internal import Console
internal import FeatureLab
internal import Formatting
internal import Interpretability

/// Changes and labels of features.
extension FeaturePage {
    /// Changes the target feature and reads the text again.
    mutating func change(_ body: (inout FeatureChanges, Int) -> Void) -> Work<Self> {
        guard let target else { return [] }
        body(&changes, target)
        return readAgain()
    }

    mutating func changeFromHere() -> Work<Self> {
        changes.start = changes.start == 0 ? text.cursor : 0
        let place = changes.start == 0 ? "the first token" : "token \(changes.start)"
        return [readAgain(), .notify("changes apply starting at \(place)")]
    }

    /// Asks for the activation of the feature. Its maximum is proposed: values far above it are rarely of use.
    func askValue() -> Work<Self> {
        guard let feature = target else { return [] }
        var (maximum, allowed) = ("0", "")
        if let card, card.feature == feature, card.dashboard.maximum > 0 {
            maximum = Format.fixed(Double(card.dashboard.maximum), digits: 2)
            allowed = "up to \(maximum) in indexed texts"
        }
        let field = Form.Field(
            "activation", value: maximum, allowed: allowed,
            help: "0 turns the feature off. Values near its maximum have a strong effect.",
            check: { Float($0.trimmed)?.isFinite == true ? nil : "enter a number" })
        return .value("Set feature \(feature)", field) { page, typed in
            guard let value = Float(typed) else { return [] }
            page.changes.set(.set(value), of: feature)
            return page.readAgain()
        }
    }

    // MARK: Labels

    /// Asks for the label of the feature, with the current one to begin with.
    func askLabel() -> Work<Self> {
        guard let dictionary, let feature = target else { return [] }
        let current = card?.feature == feature ? card?.label ?? "" : ""
        let field = Form.Field("label", value: current, help: "A few words. Leave empty to remove your label.")
        return .value("Label feature \(feature)", verb: "save", field) { page, label in
            page.write {
                try $0.label(feature, of: dictionary, label)
            } then: { _, _ in
                let done = label.isEmpty ? "removed your label from feature" : "labeled feature"
                return [.notify("\(done) \(feature)", .success), .changed]
            }
        }
    }

    // MARK: Saved changes

    func askName() -> Work<Self> {
        let field = Form.Field("name", value: "", help: "B lists the saved changes by name.")
        return .value("Save the changes", verb: "save", field) { page, name in
            name.isEmpty ? [] : page.save(name, replacing: false)
        }
    }

    /// Saves the changes; if the name is in use, asks before they replace others.
    private func save(_ name: String, replacing: Bool) -> Work<Self> {
        guard let dictionary else { return [] }
        return write { [changes] in
            try $0.save(changes, as: name, of: dictionary, replacing: replacing)
        } then: { [changes] _, isSaved in
            if isSaved { return .notify("saved \(name): \(changes.sentence)", .success) }
            let title = "Replace the saved changes “\(Escape.printable(name).truncated(toColumns: 40))”?"
            return .question(Question(title, [.init("r", "replace them", value: true)])) { page, _ in
                page.save(name, replacing: true)
            }
        }
    }

    func chooseSaved() -> Work<Self> {
        guard let dictionary else { return [] }
        return read("saved") {
            try $0.savedChanges(of: dictionary)
        } then: { _, saved in
            guard !saved.isEmpty else { return .notify("No changes are saved yet: W saves them.", .warning) }
            return .choose("Restore changes", saved.map { Choice($0.name, value: $0) }) { page, saved in
                page.changes = saved.changes
                return [.notify("\(saved.name): \(saved.changes.sentence)", .success), page.readAgain()]
            }
        }
    }
}
