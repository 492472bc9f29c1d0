% Writes MATLAB files of Octave, and what they hold: octave-cli matlab.m DIR CASES.
folder = argv(){1};
cases = str2double(argv(){2});
formats = {"-v4", "-v6", "-v7"};
classes = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "logical", "sparse"};
for seed = 0:cases-1
  rand("seed", seed); randn("seed", seed);
  p = ceil(40 * rand()); n = ceil(40 * rand());
  kind = formats{mod(seed, 3) + 1};
  class_ = classes{mod(floor(seed / 3), numel(classes)) + 1};
  if strcmp(kind, "-v4") && ! any(strcmp(class_, {"double", "single", "sparse"}))
    class_ = "double";
  end
  switch class_
    case "logical"
      X = rand(p, n) < 0.5;
    case "sparse"
      X = sprandn(p, n, rand());
    case {"double", "single"}
      X = randn(p, n) .* 10 .^ round(30 * randn(p, n) / 3);
      if rand() < 0.3
        X = round(randn(p, n) * 100);  % which are stored as integers
      end
      X = cast(X, class_);
    otherwise
      X = cast(randn(p, n) * double(intmax(class_)), class_);
  end
  path = sprintf("%s/octave%04d.mat", folder, seed);
  save(kind, path, "X");
  f = fopen([path ".json"], "w");
  fprintf(f, "{\"Others\": [], \"About\": \"octave%04d %s %s\", \"Names\": [%s],\n\"Rows\": [", seed, kind, class_, strjoin(strsplit(repmat("\"x\" ", 1, n)(1:end-1)), ", "));
  for i = 1:p
    if i > 1, fprintf(f, ",\n"); end
    fprintf(f, "[%s]", strjoin(arrayfun(@(x) sprintf("\"%.17g\"", x), full(double(X(i, :))), "UniformOutput", false), ", "));
  end
  fprintf(f, "]}\n");
  fclose(f);
end
