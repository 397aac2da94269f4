internal import FeatureLab

/// What comes back to the features panel.
package enum FeatureAnswer: Sendable {
    case dictionaries(DictionaryBox)
    /// It is time to see what other programs did to the workspace.
    case tick
    case watched(DictionaryBox)
    case added(DictionaryBox, id: Int64)
    case rows(FeatureRowBox)
    case card(FeatureCardBox)
    case prompt(FeaturePromptBox)
    case answerRead(AnswerBox)
    case kept([String])
    /// Changes are already saved under this name.
    case taken(String)
    case restored(FeatureChangesBox)
    case came(SteeringBox)
    case ended
    case done(String)
    case written(String)
    case line(Line, String)
    case lineCancelled
    case circuits(CircuitAnswer)

    /// What a line was asked for.
    package enum Line: Sendable {
        case dictionary, query, prompt, value(Int), label(Int), export, find, keepChanges, replaceChanges,
            restoreChanges
    }
}

/// Values of this panel alone, passed through the shell.
package struct DictionaryBox: Sendable {
    let dictionaries: [FeatureDictionary]
    /// Names of those that come with the program and are not among them.
    let offered: [String]
}
package struct FeatureRowBox: Sendable {
    let rows: [FeatureRow]
    let query: FeatureQuery
    /// What it could be answered by.
    let answered: FeatureQuery
    let dictionary: Int64
}
package struct FeatureCardBox: Sendable {
    let card: FeatureCard
    package init(card: FeatureCard) { self.card = card }
}
package struct FeaturePromptBox: Sendable { let prompt: FeaturePrompt }
package struct AnswerBox: Sendable {
    let prompt: FeaturePrompt
    let place: FeaturePrompt.Place?
    /// The dictionary to look at it with.
    let dictionary: Int64?
}
package struct FeatureChangesBox: Sendable {
    let name: String
    let changes: FeatureChanges
}
package struct SteeringBox: Sendable {
    let reading: SteeringReading
    package init(reading: SteeringReading) { self.reading = reading }
}
