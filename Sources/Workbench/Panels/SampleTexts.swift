internal import Foundation

/// Texts for the model that comes with the program, chosen so that the panels of tokens, attention and features have
/// something to show at first sight. The model knows stories of a small world and questions about documents in its
/// prompt, and nothing else.
package enum SampleTexts {
    /// The name of the model in the workspace.
    package static let model = "orrery-mini"

    /// A text with a line that says what is to be seen.
    package struct Text: Hashable, Sendable {
        package var text: String
        package var note: String
    }

    /// Ends where a name begins again.
    static let attention = Text(
        text: """
            Story: In the town of Dunigate there lived a carpenter called Zilupha. Every evening he walked up to the \
            observatory. One day the small orrery of the observatory stood still. A small handle was broken. Zil
            """,
        note: "A sample: Zilupha is named again, and head L0H5 looks back at how the name went on.")
    /// The head of the note, as layer and head.
    static let attentionHead = (layer: 0, head: 5)

    static let features = Text(
        text: """
            Story: Lumira was a star watcher in Dunford. She liked quiet nights and clear skies. One day the telescope of \
            the observatory stood still. "Will you help me?" asked Lumira.
            """,
        note: "A sample: h and l walk over the tokens, Active lists what the model has in mind at each.")

    /// The byte of that text that the cursor begins on.
    static let featurePlace = features.text.range(of: "nights").map {
        features.text.utf8.distance(from: features.text.startIndex, to: $0.lowerBound)
    }

    /// A fact that is looked up, and the same prompt with another one.
    static let circuit = (clean: fact("red"), corrupt: fact("green"))

    private static func fact(_ color: String) -> String {
        """
        Document: Belohaven has a flag that is \(color).
        Question: What color is the flag of Belohaven?
        Thought: Belohaven has a flag that is
        """
    }

    static let circuitNote =
        "A sample: which activation carries the color from the document to the answer? Enter runs a cell alone."

    /// Prompts whose generations are recorded when the sample workspace is filled, the oldest first.
    package struct Recording: Sendable {
        package var title: String
        /// What is to be seen.
        package var note: String
        package var prompt: String
        package var temperature: Double
        /// One generation a seed.
        package var seeds: [UInt64]
        package var tokens: Int
    }

    package static let recordings = [
        Recording(
            title: "Question about a document",
            note: "A sample: the model looks a fact up in its prompt.",
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
