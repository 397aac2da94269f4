import System
import Training

/// The grammar and recipes that the tests of synthetic data share.
enum SyntheticFixtures {
    static let grammar = """
        # A small town.
        syllables first: Vel Mor Tan Kir Bra Sol Dun Fen Gar Hal Jor Lum
        syllables middle: a o e i u
        syllables last: dan rel mos vin tha rin gor bel
        syllables place: ford wick dale haven
        names person: first middle last
        names town: first middle place
        someone:
          {person} <they=she>
          {person} <they=he>
        color: red | green | blue
        story:
          [3] {let hero = someone}{hero} lived in {town}. {^hero.they} had {n = 2..90} {color} stones and {n} boxes.
          {let hero = someone}In {town} lived {hero}. {^hero.they} painted a {c = color} door and a {color but c} roof.
        relation home of person
          value: town
          fact: {subject} lives in {value}
          question: Where does {subject} live?
          noun: the home of {subject}
          key: home of {subject}
          query: where {subject} lives
          tool: search
        relation teacher of person
          value: person
          fact: {subject} was taught by {value}
          question: Who taught {subject}?
          noun: the teacher of {subject}
          key: teacher of {subject}
          query: who taught {subject}
          tool: search
        relation age of person
          value: 11..98
          fact: {subject} is {value} years old
          question: How old is {subject}?
          key: age of {subject}
          query: how many years old {subject} is
          tool: lookup
        problem sum
          numbers: 2..99 2..99
          expression: {a} + {b}
          question: What is {a} plus {b}?
        problem product
          numbers: 2..99 2..99
          expression: {a} * {b}
          question: What is {a} times {b}?
        problem group
          numbers: 2..60 2..60 2..20
          expression: ({a} + {b}) * {c}
          question: What is ({a} + {b}) * {c}?
        """

    static let recipe = """
        name = "town"
        seed = 3
        grammar = "town.grammar"
        tokens = 40_000
        context = 256
        held_out = 8
        [tokenizer]
        vocabulary = 600
        sample = 400
        [sources.stories]
        kind = "grammar"
        rule = "story"
        prefix = "Story: "
        [sources.reading]
        kind = "reading"
        subjects = [2, 3]
        relations = [1, 2]
        facts = 6
        questions = [1, 3]
        [sources.tools]
        kind = "episodes"
        calculate = 2
        lookup = 1
        search = 1
        fallback = 1
        chain = 1
        total = 1
        read = 1
        read-total = 1
        repair = 1
        [evaluation]
        stories = 20
        questions = 40
        episodes = 60
        arithmetic = 20
        validation = 5_000
        """

    static func make(
        recipe: String = recipe, grammar: String = grammar
    ) throws(Problem) -> SyntheticRecipe {
        try SyntheticRecipe(parsing: recipe, file: "town.toml") { _ throws(Problem) in grammar }
    }

    /// A number of documents of each source.
    static func documents(_ count: Int, _ recipe: SyntheticRecipe, isHeldOut: Bool = false) throws(Problem)
        -> [(source: String, text: String)]
    {
        var generator = SyntheticGenerator(recipe, isHeldOut: isHeldOut)
        var documents: [(source: String, text: String)] = []
        for (index, source) in recipe.sources.enumerated() {
            for number in 0..<count {
                documents.append((source.name, try generator.document(source: index, number: number).text))
            }
        }
        return documents
    }
}

/// An interpreter of what episodes write, which shares nothing with the generator but the protocol.
enum LittleInterpreter {
    /// The integers that a calculator gives for `12 + 7`, `(12 + 7) * 3` and the like, by precedence climbing.
    static func calculate(_ text: String) -> String {
        let tokens = text.reduce(into: [String]()) { tokens, character in
            if character == " " { return tokens.append(" ") }
            if character.isNumber, let last = tokens.last, last.allSatisfy(\.isNumber) {
                tokens[tokens.count - 1].append(character)
            } else {
                tokens.append(String(character))
            }
        }.filter { $0 != " " }
        var place = 0
        func atom() -> Int {
            defer { place += 1 }
            guard tokens[place] == "(" else { return Int(tokens[place]) ?? .min }
            place += 1
            return climb(0)
        }
        func climb(_ least: Int) -> Int {
            var value = atom()
            while place < tokens.count, let precedence = ["+": 1, "-": 1, "*": 2][tokens[place]], precedence > least {
                let sign = tokens[place]
                place += 1
                let right = climb(precedence)
                value = sign == "+" ? value + right : sign == "-" ? value - right : value * right
            }
            return value
        }
        return String(climb(0))
    }
}
