internal import Foundation

/// Texts for the model that comes with Orrery, chosen so that Tokens, Attention, and Features show something at first
/// sight. The model knows stories of a small world and questions about documents in its prompt, and nothing else.
package enum SampleTexts {
    /// Name of the model in the workspace.
    package static let model = "orrery-mini"
    /// Suffix of a sample's name if the user already has an object with that name.
    package static let suffix = "-sample"

    /// Returns the name of the sample model, if a workspace has it.
    package static func model(among names: [String]) -> String? {
        names.first { $0 == model + suffix } ?? names.first { $0 == model }
    }

    /// Returns whether a name or the path of a file may refer to the sample model.
    package static func isModel(_ word: String) -> Bool {
        word == model || word == model + suffix || word.hasSuffix("/" + model)
    }

    /// A text, and a note on what to look for.
    package struct Text: Hashable, Sendable {
        package var text: String
        package var note: String
    }

    /// The text ends where a name begins again.
    package static let attention = Text(
        text: """
            Story: In the town of Dunigate there lived a carpenter called Zilupha. Every evening he walked up to the \
            observatory. One day the small orrery of the observatory stood still. A small handle was broken. Zil
            """,
        note: """
            A sample: the name Zilupha starts again, and head L0H5 attends to what followed it before. The induction \
            score averages over all repeated tokens, so other heads score higher.
            """)
    /// Layer and head that the note names.
    package static let attentionHead = (layer: 0, head: 5)

    /// The text ends where feature 32, at twice its activation, changes what the model writes next.
    package static let features = Text(
        text: "Story: Lumira was a star watcher in Dunford. She liked quiet nights and clear skies. One morning",
        note: """
            A sample: h and l move between tokens, and Active lists the features that fire at each. + doubles feature 32, \
            which changes the story.
            """)

    /// Byte offset of the cursor in that text.
    package static let featurePlace = features.text.range(of: "nights").map {
        features.text.utf8.distance(from: features.text.startIndex, to: $0.lowerBound)
    }

    /// A fact lookup, and the same prompt with another fact.
    package static let circuit = (clean: fact("red"), corrupt: fact("green"))

    private static func fact(_ color: String) -> String {
        """
        Document: Belohaven has a flag that is \(color).
        Question: What color is the flag of Belohaven?
        Thought: Belohaven has a flag that is
        """
    }

    package static let circuitNote =
        "A sample: which activation carries the color from the document to the answer? Enter runs one cell."

    /// Prompts whose generations are recorded into the sample workspace, oldest first.
    package struct Recording: Sendable {
        package var title: String
        /// Note on what to look for.
        package var note: String
        package var prompt: String
        package var temperature: Double
        /// Seeds, one for each generation.
        package var seeds: [UInt64]
        package var tokens: Int
    }

    package static let recordings = [
        Recording(
            title: "Question about a document",
            note: "A sample: the model looks up a fact in its prompt.",
            prompt: """
                Document: Calelmarsh has a flag that is green. Belohaven has a flag that is red.
                Question: What color is the flag of Belohaven?

                """, temperature: 0, seeds: [0], tokens: 30),
        Recording(
            title: "Story at temperature 1.1",
            note: "A sample: ] goes to the next surprise, d compares both stories.",
            prompt: "Story: One winter a star watcher named Lumira lived in Dunulcrest.", temperature: 1.1,
            seeds: [3, 4],
            tokens: 110),
    ]
}
