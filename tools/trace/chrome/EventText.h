//===- EventText.h - one event's text, changed where it stands ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_EVENTTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_EVENTTEXT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Takes the text of an event apart and puts it together again with single values replaced and
/// arguments added. All other bytes stay what they are.
class EventText {
public:
  enum class Type : uint8_t { String, Number, Other };

  /// A member of the event, or of its `args`. Texts live until the next parse().
  struct Member {
    std::string_view Key;  ///< its characters
    std::string_view Json; ///< the value as written; that of `args` is not given
    std::string_view Text; ///< String: its characters; Number: as written
    Type Kind = Type::Other;

    /// A number without point and exponent that fits into 64 bits, with a sign or without.
    std::optional<__int128> integer() const;
    /// The same, also in quotes or written as 7.0.
    std::optional<__int128> id() const;
  };

  EventText();
  ~EventText();
  EventText(const EventText &) = delete;
  EventText &operator=(const EventText &) = delete;

  /// Takes in \p Text, an object. False: it is not JSON; nothing else may be called then.
  bool parse(std::string_view Text);

  /// Whether all of it is JSON. parse() does not look into values, of which some writers' are no
  /// JSON, such as `inf`.
  bool isWhole();

  /// Members of the event but `args`; a key can stand twice.
  std::span<const Member> members() const { return Members; }
  /// The last member of this key, which is the one that counts; null: there is none.
  const Member *member(std::string_view Key) const;

  /// Members of all objects under the key `args`. Mostly there is one or none.
  std::span<const Member> arguments() const { return Arguments; }
  /// Those of the last `args`, the only one that most readers see.
  std::span<const Member> lastArguments() const { return arguments().subspan(LastArguments); }
  /// The last of arguments() with this key; null: there is none.
  const Member *argument(std::string_view Key) const;

  /// Whether addArgument() can be called: `args` is an object, or there is none.
  bool takesArguments() const { return !ArgumentsAreOther; }

  /// Puts \p Json in the place of a member's value; the last call counts.
  void replace(const Member &Of, std::string_view Json);

  /// Adds `"Key": Json` behind the last argument; without `args` adds these, too. \p Key needs no
  /// escapes.
  void addArgument(std::string_view Key, std::string_view Json);

  /// Adds `"Key": Json` behind the event's last member. \p Key needs no escapes.
  void addMember(std::string_view Key, std::string_view Json);

  /// Appends the text with all changes to \p Out.
  void write(std::string &Out);

private:
  struct Library;
  struct Change {
    size_t At;   ///< in Buffer
    size_t Size; ///< of what is replaced
    std::string Text;
  };
  void parseMembers();
  void insert(size_t Brace, const std::string &Added);
  size_t offsetOf(const char *Place) const { return static_cast<size_t>(Place - Buffer.data()); }
  size_t lastByteBefore(size_t Place) const;

  std::unique_ptr<Library> Json;
  std::string Buffer; ///< the text, and room behind it for the parser
  std::vector<Member> Members, Arguments;
  size_t LastArguments = 0;  ///< index of the first one of the last `args`
  size_t ArgumentsBrace = 0; ///< of the last `args`; 0: there are none
  bool ArgumentsAreOther = false;
  std::vector<Change> Changes;
  std::string AddedArguments, AddedMembers;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_EVENTTEXT_H
