public import JSON
public import Tokenizers

extension FeatureDashboard {
    /// Writes all of it as an object.
    ///
    /// - Parameter text: Returns the text of a token.
    public func write(to json: inout JSONWriter, text: (TokenID) -> String) {
        json.object { json in
            json.member("feature", feature)
            json.key("labels")
            json.array { json in
                for label in labels { label.write(to: &json) }
            }
            json.member("words", ifPresent: words)
            json.member("tokens", tokens)
            json.member("count", count)
            json.member("density", density)
            json.member("log10_density", ifPresent: logDensity)
            json.member("maximum", maximum)
            json.member("mean", mean)
            json.member("imported", isImported)
            json.key("histogram")
            json.object { json in
                json.member("maximum", histogram.maximum)
                json.member("counts", histogram.counts)
            }
            json.key("top")
            Self.write(top, &json, text)
            json.key("quantiles")
            json.array { json in
                for group in groups { Self.write(group, &json, text) }
            }
            json.key("positive_logits")
            Self.write(positive, &json, text)
            json.key("negative_logits")
            Self.write(negative, &json, text)
            json.key("correlated")
            Self.write(correlated, &json)
            json.key("neighbors")
            Self.write(neighbors, &json)
        }
    }

    private static func write(_ group: QuantileGroup, _ json: inout JSONWriter, _ text: (TokenID) -> String) {
        json.object { json in
            json.member("from", group.range.lowerBound)
            json.member("to", group.range.upperBound)
            json.member("count", group.count)
            json.member("share", group.share)
            json.key("examples")
            write(group.examples, &json, text)
        }
    }

    private static func write(_ examples: [FeatureExample], _ json: inout JSONWriter, _ text: (TokenID) -> String) {
        json.array { json in
            for example in examples {
                json.object { json in
                    json.member("position", ifPresent: example.position)
                    if !example.tokens.isEmpty { json.member("tokens", example.tokens.map(Int64.init)) }
                    json.member("texts", example.texts(text))
                    json.member("values", example.values)
                    json.member("peak", example.peak)
                }
            }
        }
    }

    private static func write(_ logits: [TokenLogit], _ json: inout JSONWriter, _ text: (TokenID) -> String) {
        json.array { json in
            for logit in logits {
                json.object { json in
                    json.member("token", ifPresent: logit.token.map(Int64.init))
                    json.member("text", logit.text ?? logit.token.map(text) ?? "")
                    json.member("value", logit.value)
                }
            }
        }
    }

    private static func write(_ related: [RelatedFeature], _ json: inout JSONWriter) {
        json.array { json in
            for one in related {
                json.object { json in
                    json.member("feature", one.feature)
                    json.member("value", one.value)
                    json.member("label", ifPresent: one.label)
                }
            }
        }
    }

    func table(_ text: (TokenID) -> String) -> String {
        var table = CSVTable()
        table.append(["feature", "group", "example", "position", "token", "text", "activation", "peak"])
        let groups = [("top", top)] + self.groups.enumerated().map { ("\($0 + 1)", $1.examples) }
        for (group, examples) in groups {
            for (number, example) in examples.enumerated() {
                let texts = example.texts(text)
                for place in example.values.indices {
                    table.append([
                        "\(feature)", group, "\(number + 1)",
                        example.position.map { "\($0 - example.peak + place)" },
                        example.tokens.indices.contains(place) ? "\(example.tokens[place])" : nil,
                        texts.indices.contains(place) ? texts[place] : nil, "\(example.values[place])",
                        place == example.peak ? "1" : "0",
                    ])
                }
            }
        }
        return table.text
    }
}

extension FeatureExample {
    /// How its tokens read.
    ///
    /// - Parameter text: Returns the text of a token whose text is not recorded.
    public func texts(_ text: (TokenID) -> String) -> [String] { texts.isEmpty ? tokens.map(text) : texts }
}

extension FeatureLabel: JSONRepresentable {
    /// The label as a JSON object: feature, text, note and who says it.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("text", text)
            json.member("note", note)
            switch source {
            case .own: json.member("source", "own")
            case .imported(let name): json.member("source", name)
            }
        }
    }
}
